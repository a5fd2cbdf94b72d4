// JSON lines, JSON documents, and trees `model/task/sample.ext`.
// Does not follow links within a tree.
// See submission_files.hpp.
#include "grader/submission_files.hpp"

#include "grader/json.hpp"
#include "grader/line_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

namespace grader {

namespace {

namespace fs = std::filesystem;

/// Problems of one file that are listed one by one; the rest is a number.
constexpr std::uint64_t kMostProblems = 1000;

constexpr std::uint32_t kDepth = 64;

JsonOptions line_options() {
    JsonOptions options;
    options.depth = kDepth;
    options.bad_text = JsonOptions::Bad::replace;
    return options;
}

tl::unexpected<Error> bad(std::string what) {
    return tl::unexpected(Error{Error::Code::bad_input, std::move(what)});
}

Draft problem_at(std::string where, std::string what) {
    Draft draft;
    draft.where = std::move(where);
    draft.problem = std::move(what);
    return draft;
}

/// "samples.json.gz" -> "samples.json": compression is known by content, not by name.
fs::path without_compression(const fs::path& path) {
    const std::string extension = path.extension();
    return extension == ".gz" || extension == ".zst" ? path.stem() : path.filename();
}

/// lm-eval: "samples_TASK_DATE.jsonl" names the task, its folder the model.
LineContext context_of(const fs::path& path) {
    LineContext context;
    context.folder = path.parent_path().filename();
    const std::string name = without_compression(path).stem();
    if (!name.starts_with("samples_")) return context;
    const auto last = name.rfind('_');
    if (last <= 8) return context;
    context.task = name.substr(8, last - 8);
    return context;
}

bool is_blank(std::string_view text) {
    return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

/// Reads one file of lines into `collected`.
class LinesOfFile {
  public:
    LinesOfFile(const fs::path& path, Collected& collected)
        : path_(path), context_(context_of(path)), collected_(collected) {}

    Result<void> run() {
        auto source = open_bytes(path_);
        if (!source) return tl::unexpected(std::move(source).error());
        LineReader reader(std::move(*source), kMaxLineBytes);
        Line line;
        std::uint64_t found = 0;
        while (true) {
            const auto more = reader.next(line);
            if (!more) {
                add(problem_at(place(line.number), more.error().what));
                break;
            }
            if (!*more) break;
            if (is_blank(line.text) && !line.over_limit) continue;
            ++found;
            ++collected_.lines_read;
            read(line);
        }
        if (found == 0 && unlisted_ + listed_ == 0)
            add(problem_at(path_.string(), "the file holds no line"));
        if (unlisted_ > 0)
            collected_.drafts.push_back(problem_at(
                path_.string(), fmt::format("{} more lines that cannot be read", unlisted_)));
        return {};
    }

  private:
    std::string place(std::uint64_t number) const {
        return fmt::format("{}:{}", path_.string(), number);
    }

    void add(Draft draft) {
        if (!draft.problem.empty() && ++listed_ > kMostProblems) {
            --listed_;
            ++unlisted_;
            return;
        }
        collected_.drafts.push_back(std::move(draft));
    }

    void read(const Line& line) {
        context_.where = place(line.number);
        if (line.over_limit)
            return add(
                problem_at(context_.where, fmt::format("the line has {} bytes, at most {} are read",
                                                       line.bytes, kMaxLineBytes)));
        JsonNotes notes;
        const auto value = parse_json(line.text, line_options(), &notes);
        if (!value) {
            std::string what = value.error().what;
            if (!line.ended) what += "; the last line has no end: is the file complete?";
            return add(problem_at(context_.where, std::move(what)));
        }
        collected_.replaced += notes.replaced_bytes + notes.replaced_surrogates;
        for (Draft& draft : read_line(*value, context_)) add(std::move(draft));
    }

    const fs::path& path_;
    LineContext context_;
    Collected& collected_;
    std::uint64_t listed_ = 0;
    std::uint64_t unlisted_ = 0;
};

/// A document in one piece (an inspect log, a list). False: it is none, so it may be lines.
bool read_document(const fs::path& path, Collected& collected) {
    const auto text = read_all(path, kMaxDocumentBytes);
    if (!text) return false;
    JsonOptions options = line_options();
    options.max_bytes = kMaxDocumentBytes;
    JsonNotes notes;
    const auto value = parse_json(*text, options, &notes);
    if (!value) return false;
    LineContext context = context_of(path);
    context.where = path.string();
    ++collected.lines_read;
    collected.replaced += notes.replaced_bytes + notes.replaced_surrogates;
    for (Draft& draft : read_line(*value, context)) collected.drafts.push_back(std::move(draft));
    return true;
}

Result<void> read_file(const fs::path& path, Collected& collected) {
    if (without_compression(path).extension() == ".json" && read_document(path, collected))
        return {};
    return LinesOfFile(path, collected).run();
}

bool is_lines_file(const fs::path& path) {
    const std::string extension = without_compression(path).extension();
    return extension == ".jsonl" || extension == ".json" || extension == ".ndjson";
}

/// A tree of code: `model/task/sample.ext`, or `task/sample.ext` of a model named like the folder.
class Tree {
  public:
    Tree(const fs::path& root, const std::set<std::string>& known_tasks, Collected& collected)
        : root_(root), known_tasks_(known_tasks), collected_(collected) {}

    Result<void> run() {
        std::vector<fs::path> files;
        if (auto listed = list(files); !listed) return listed;
        if (files.empty())
            collected_.drafts.push_back(problem_at(root_.string(), "the folder holds no file"));
        for (const fs::path& file : files)
            if (auto read = read_entry(file); !read) return read;
        return {};
    }

  private:
    Result<void> list(std::vector<fs::path>& files) const {
        std::error_code error;
        fs::recursive_directory_iterator entry(root_, error);
        for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
            const bool hidden = entry->path().filename().string().starts_with('.');
            const auto status = entry->symlink_status(error);
            if (error) break;
            if (fs::is_directory(status)) {
                if (hidden) entry.disable_recursion_pending();
            } else if (!hidden) {
                files.push_back(entry->path());
            }
        }
        if (error)
            return bad(fmt::format("cannot list {}: {}", quoted(root_.string()), error.message()));
        std::sort(files.begin(), files.end());
        return {};
    }

    Result<void> read_entry(const fs::path& file) {
        std::error_code error;
        const bool regular = fs::is_regular_file(fs::symlink_status(file, error));
        const fs::path relative = file.lexically_relative(root_);
        std::vector<std::string> parts;
        for (const fs::path& part : relative) parts.push_back(part.string());
        if (!regular) {
            collected_.drafts.push_back(problem_at(file.string(), "no regular file"));
            return {};
        }
        if (parts.size() == 1 && is_lines_file(file)) return read_file(file, collected_);
        collected_.drafts.push_back(read_code(file, parts));
        return {};
    }

    Draft read_code(const fs::path& file, const std::vector<std::string>& parts) {
        if (parts.size() != 2 && parts.size() != 3)
            return problem_at(file.string(), "expected model/task/sample.ext below the folder");
        ++collected_.lines_read;
        Draft draft;
        const std::string stem = file.stem();
        draft.where = file.string();
        draft.model = parts.size() == 3
                          ? parts[0]
                          : fs::absolute(root_ / ".").parent_path().filename().string();
        // The stem is `sample` or `sample#round`; any other name leaves the sample open.
        if (!read_custom_id("x#" + stem, draft)) {
            draft.sample.reset();
            draft.round = 0;
        }
        draft.task = task_of(parts[parts.size() - 2]);
        read_text(file, draft);
        return draft;
    }

    /// Folder names cannot hold the slash of "HumanEval/0"; an underscore stands for it.
    std::string task_of(const std::string& folder) const {
        if (known_tasks_.contains(folder)) return folder;
        for (const std::string& task : known_tasks_) {
            std::string name = task;
            std::replace(name.begin(), name.end(), '/', '_');
            if (name == folder) return task;
        }
        return folder;
    }

    static void read_text(const fs::path& file, Draft& draft) {
        const std::string extension = file.extension();
        draft.language = language_of_extension(extension);
        draft.is_code = draft.language.has_value();
        const bool reply = extension == ".md" || extension == ".txt";
        if (!draft.is_code && !reply) {
            draft.why = fmt::format("no language has the extension {}", quoted(extension));
            return;
        }
        auto text = read_all(file, kMaxLineBytes);
        if (text)
            draft.text = std::move(*text);
        else
            draft.why = text.error().what;
    }

    const fs::path& root_;
    const std::set<std::string>& known_tasks_;
    Collected& collected_;
};

}  // namespace

Result<void> collect(const fs::path& input, const std::set<std::string>& known_tasks,
                     Collected& collected) {
    std::error_code error;
    if (fs::is_directory(input, error)) return Tree(input, known_tasks, collected).run();
    return read_file(input, collected);
}

}  // namespace grader
