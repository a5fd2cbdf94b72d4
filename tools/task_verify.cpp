// Makes one batch of all files, grades it in a temporary folder, reads the verdicts.
// Leaves nothing behind.
// See task_verify.hpp.
#include "tools/task_verify.hpp"

#include "grader/json.hpp"
#include "tools/grade_setup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <system_error>
#include <utility>

namespace tools {

namespace {

namespace fs = std::filesystem;

class TempFolder {
  public:
    TempFolder() : path_((fs::temp_directory_path() / "perfjudge-verify-XXXXXX").string()) {
        made_ = ::mkdtemp(path_.data()) != nullptr;
    }
    ~TempFolder() {
        std::error_code error;
        if (made_) fs::remove_all(path_, error);
    }
    TempFolder(const TempFolder&) = delete;
    TempFolder& operator=(const TempFolder&) = delete;
    TempFolder(TempFolder&&) = delete;
    TempFolder& operator=(TempFolder&&) = delete;
    [[nodiscard]] bool made() const { return made_; }
    [[nodiscard]] fs::path path() const { return path_; }

  private:
    std::string path_;
    bool made_ = false;
};

tl::unexpected<grader::Error> bad(std::string what) {
    return tl::unexpected(grader::Error{grader::Error::Code::bad_input, std::move(what)});
}

std::vector<fs::path> files_in(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error))
        if (entry.is_regular_file()) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

void add_rows(const grader::Task& task, const fs::path& folder, const std::string& expected,
              std::vector<Verified>& rows) {
    for (const fs::path& file : files_in(folder))
        rows.push_back({task.id, file.lexically_relative(task.folder).string(), expected, "", ""});
}

grader::Result<std::vector<Verified>> list_files(std::span<const grader::Task> tasks) {
    std::vector<Verified> rows;
    for (const grader::Task& task : tasks) {
        const std::size_t before = rows.size();
        add_rows(task, task.folder / "solutions", "AC", rows);
        if (rows.size() == before)
            return bad(fmt::format("{}: no file in {}/solutions", task.id, task.folder.string()));
        std::vector<fs::path> verdicts;
        std::error_code error;
        for (const auto& entry : fs::directory_iterator(task.folder / "wrong", error))
            verdicts.push_back(entry.path());
        std::sort(verdicts.begin(), verdicts.end());
        for (const fs::path& folder : verdicts)
            add_rows(task, folder, folder.filename().string(), rows);
    }
    return rows;
}

/// The file's name is the model: it comes back with the verdict.
grader::Result<std::string> line_of(const Verified& row, const fs::path& folder) {
    const auto language = grader::parse_language(fs::path(row.file).extension().string().substr(1));
    if (!language) return bad(fmt::format("{}: {}: no known language", row.task, row.file));
    std::ifstream stream(folder / row.file, std::ios::binary);
    const std::string code((std::istreambuf_iterator<char>(stream)),
                           std::istreambuf_iterator<char>());
    return grader::dump(grader::Json::object({{"task_id", row.task},
                                              {"model", row.file},
                                              {"sample", 0},
                                              {"language", grader::name(*language)},
                                              {"code", code}})) +
           "\n";
}

grader::Result<void> write_batch(std::span<const grader::Task> tasks,
                                 std::span<const Verified> rows, const fs::path& path) {
    std::ofstream out(path, std::ios::binary);
    for (const Verified& row : rows) {
        const auto task = std::find_if(tasks.begin(), tasks.end(),
                                       [&](const grader::Task& t) { return t.id == row.task; });
        auto line = line_of(row, task->folder);
        if (!line) return tl::unexpected(std::move(line).error());
        out << *line;
    }
    out.close();
    if (!out) return bad("cannot write " + path.string());
    return {};
}

grader::Result<void> read_verdicts(const fs::path& path, std::vector<Verified>& rows) {
    std::map<std::pair<std::string, std::string>, std::pair<std::string, std::string>> found;
    std::ifstream stream(path);
    for (std::string line; std::getline(stream, line);) {
        const auto object = grader::parse_json(line);
        if (!object) return tl::unexpected(object.error());
        const auto text = [&](const char* key) {
            return grader::get_string(*object, key).value_or("");
        };
        found[{text("task"), text("model")}] = {text("verdict"), text("reason")};
    }
    for (Verified& row : rows) std::tie(row.verdict, row.reason) = found[{row.task, row.file}];
    return {};
}

}  // namespace

grader::Result<std::vector<Verified>> verify_tasks(std::span<const grader::Task> tasks,
                                                   const std::string& tasks_folder, unsigned jobs) {
    auto rows = list_files(tasks);
    if (!rows) return rows;
    const TempFolder folder;
    if (!folder.made()) return bad("cannot make a temporary folder");
    const fs::path batch = folder.path() / "batch.jsonl";
    auto written = write_batch(tasks, *rows, batch);
    if (!written) return tl::unexpected(std::move(written).error());
    grader::GradeOptions options = standard_grade_options(jobs);
    options.submissions = {batch};
    options.tasks = tasks_folder;
    options.out = folder.path() / "out";
    auto graded = grader::grade(options, [](const grader::Progress&) {});
    if (!graded) return tl::unexpected(std::move(graded).error());
    auto read = read_verdicts(options.out / "verdicts.jsonl", *rows);
    if (!read) return tl::unexpected(std::move(read).error());
    return rows;
}

std::string verified_text(std::span<const Verified> rows) {
    std::string text;
    std::size_t wrong = 0;
    for (const Verified& row : rows) {
        const bool same = row.verdict == row.expected;
        if (!same) ++wrong;
        text += fmt::format("{} - {} {}: {}{}{}\n", same ? "ok" : "not ok", row.task, row.file,
                            row.verdict, row.reason.empty() ? "" : " " + row.reason,
                            same ? "" : ", must be " + row.expected);
    }
    return text +
           fmt::format("verify: {} passed, {} failed, 0 skipped\n", rows.size() - wrong, wrong);
}

}  // namespace tools
