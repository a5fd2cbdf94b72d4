// A folder of its own, a batch of attacks, its verdicts, and a look at what is left.
// The folder goes in the end, whatever happened.
// See selftest_run.hpp.
#include "tools/selftest_run.hpp"

#include "grader/json.hpp"
#include "sandbox/hierarchy.hpp"
#include "sandbox/kernel_file.hpp"
#include "tools/grade_setup.hpp"
#include "tools/left_over.hpp"
#include "tools/output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <set>
#include <system_error>
#include <utility>

#include <sys/random.h>
#include <sys/stat.h>

namespace tools {

namespace {

namespace fs = std::filesystem;
using grader::Error;
using grader::Json;

constexpr std::chrono::seconds kPatience{5};  // workers have been told to end

tl::unexpected<Error> unusable(std::string what) {
    return tl::unexpected(Error{Error::Code::bad_input, std::move(what)});
}

/// Removed with everything in it.
class Folder {
  public:
    explicit Folder(const fs::path& parent) {
        std::string name = (parent / "perfjudge-selftest-XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr) return;
        path_ = name;
        // Attacks may try to read what lies in it: only the jail shall keep them from doing so.
        (void)::chmod(name.c_str(), 0755);
    }
    ~Folder() {
        std::error_code ignored;
        if (!path_.empty()) fs::remove_all(path_, ignored);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    Folder(Folder&&) = delete;
    Folder& operator=(Folder&&) = delete;
    [[nodiscard]] const fs::path& path() const { return path_; }

  private:
    fs::path path_;
};

reference::Seed random_seed() {
    reference::Seed seed{};
    (void)!::getrandom(seed.data(), seed.size(), 0);
    return seed;
}

/// 32 hexadecimal digits that lie in no corpus and no cache.
std::string random_word() {
    std::string word;
    const reference::Seed seed = random_seed();
    for (std::size_t i = 0; i < 16; ++i) word += fmt::format("{:02x}", seed[i]);
    return word;
}

/// The limits of a task with those of the corpus in place of its own.
grader::Result<std::string> with_limits(const std::string& text,
                                        const std::map<std::string, std::string>& limits) {
    std::string result;
    std::size_t replaced = 0;
    for (const std::string_view line : sandbox::split(std::string_view(text), '\n')) {
        const auto found = limits.find(std::string(line.substr(0, line.find(" = "))));
        if (found != limits.end()) ++replaced;
        result += found == limits.end() ? std::string(line)
                                        : fmt::format("{} = {}", found->first, found->second);
        result += '\n';
    }
    if (replaced != limits.size()) return unusable("a task lacks a limit that limits.txt names");
    return result;
}

class Selftest {
  public:
    explicit Selftest(const SelftestOptions& options)
        : options_(options), folder_(options.temporary), word_(random_word()) {}
    grader::Result<SelftestResult> run(
        const std::function<void(const grader::Progress&)>& on_progress);

  private:
    [[nodiscard]] fs::path in(const char* name) const { return folder_.path() / name; }
    grader::Result<void> prepare();
    grader::Result<void> copy_task(const std::string& id);
    [[nodiscard]] std::string submissions() const;
    grader::Result<void> compare(SelftestResult& result) const;
    [[nodiscard]] AttackResult compare_one(const Attack& attack, const Json* verdict,
                                           const std::vector<const Json*>& runs) const;
    void check_after(SelftestResult& result, const std::set<std::string>& mounts_before) const;

    const SelftestOptions& options_;
    Folder folder_;
    std::string word_;  // lies in a file outside every jail
    Corpus corpus_;
    std::set<std::string> groups_;  // that helpers of this run had
};

grader::Result<void> Selftest::copy_task(const std::string& id) {
    std::error_code error;
    for (const auto& track : fs::directory_iterator(options_.tasks, error)) {
        const fs::path from = track.path() / id;
        if (!fs::exists(from / "task.toml", error)) continue;
        const fs::path to = in("tasks") / track.path().filename() / id;
        fs::create_directories(to, error);
        fs::copy(from, to, fs::copy_options::recursive, error);
        auto text = with_limits(sandbox::text_of(to / "task.toml"), corpus_.limits);
        if (!text) return tl::unexpected(std::move(text).error());
        if (error || !write_whole(to / "task.toml", *text))
            return unusable(
                fmt::format("cannot copy the task {} to {}; is there room?", id, to.string()));
        return {};
    }
    return unusable(fmt::format("no task {} in {}; name another folder with --tasks", id,
                                options_.tasks.string()));
}

std::string Selftest::submissions() const {
    const std::map<std::string, std::string> values{{"MARKER", in("marker.txt").string()},
                                                    {"TASKS", in("tasks").string()},
                                                    {"OUT", in("out").string()}};
    std::string lines;
    for (const Attack& attack : corpus_.attacks) {
        lines += grader::dump(Json::object({{"task_id", attack.task},
                                            {"model", attack.name},
                                            {"sample", 0},
                                            {"language", attack.language},
                                            {"code", fill_in(attack.code, values)}}));
        lines += '\n';
    }
    return lines;
}

grader::Result<void> Selftest::prepare() {
    auto corpus = load_corpus(options_.corpus, options_.only);
    if (!corpus) return tl::unexpected(std::move(corpus).error());
    corpus_ = std::move(*corpus);
    if (folder_.path().empty())
        return unusable(fmt::format("cannot make a folder in {}: {}", options_.temporary.string(),
                                    std::generic_category().message(errno)));
    std::set<std::string> ids;
    for (const Attack& attack : corpus_.attacks) ids.insert(attack.task);
    for (const std::string& id : ids) {
        auto copied = copy_task(id);
        if (!copied) return copied;
    }
    if (!write_whole(in("marker.txt"), word_ + "\n") ||
        !write_whole(in("attacks.jsonl"), submissions()))
        return unusable(fmt::format("cannot write to {}; is there room?", folder_.path().string()));
    return {};
}

grader::Result<std::vector<Json>> json_lines(const fs::path& path) {
    std::vector<Json> lines;
    const std::string text = sandbox::text_of(path);
    for (const std::string_view line : sandbox::split(std::string_view(text), '\n')) {
        if (line.empty()) continue;
        auto parsed = grader::parse_json(line);
        if (!parsed) return tl::unexpected(std::move(parsed).error());
        lines.push_back(std::move(*parsed));
    }
    return lines;
}

std::string word_of(const Json* object, std::string_view key) {
    const Json* value = object != nullptr ? object->find(key) : nullptr;
    const std::string* text = value != nullptr ? value->string() : nullptr;
    return text != nullptr ? *text : "";
}

std::set<std::string> words_of(const Json& object, std::string_view key) {
    std::set<std::string> words;
    const Json* list = object.find(key);
    if (list == nullptr || list->array_items() == nullptr) return words;
    for (const Json& item : *list->array_items())
        if (item.string() != nullptr) words.insert(*item.string());
    return words;
}

std::string joined(const std::set<std::string>& words, const char* separator) {
    return fmt::format("{}", fmt::join(words, separator));
}

bool includes(const std::set<std::string>& all, const std::set<std::string>& some) {
    return std::includes(all.begin(), all.end(), some.begin(), some.end());
}

AttackResult Selftest::compare_one(const Attack& attack, const Json* verdict,
                                   const std::vector<const Json*>& runs) const {
    AttackResult result{attack.name,
                        attack.tries,
                        attack.verdict,
                        word_of(verdict, "verdict"),
                        word_of(verdict, "reason"),
                        {}};
    auto& problems = result.problems;
    if (verdict == nullptr) {
        problems.emplace_back("no verdict at all");
        return result;
    }
    const auto accepted = sandbox::split(attack.verdict, '|');
    if (std::find(accepted.begin(), accepted.end(), result.got) == accepted.end())
        problems.push_back(fmt::format("verdict {}, not {}", result.got, attack.verdict));
    if (!attack.reasons.empty() && !attack.reasons.contains(result.reason))
        problems.push_back(
            fmt::format("reason {}, not {}", result.reason, joined(attack.reasons, "|")));
    const auto flags = words_of(*verdict, "flags");
    if (!includes(flags, attack.flags))
        problems.push_back(
            fmt::format("flags [{}], not {}", joined(flags, " "), joined(attack.flags, " ")));
    std::set<std::string> run_flags, run_reasons;
    for (const Json* run : runs) {
        run_flags.merge(words_of(*run, "flags"));
        run_reasons.insert(word_of(run, "reason"));
    }
    if (!includes(run_flags, attack.run_flags))
        problems.push_back(fmt::format("flags of the run [{}], not {}", joined(run_flags, " "),
                                       joined(attack.run_flags, " ")));
    if (!attack.run_reason.empty() && !run_reasons.contains(attack.run_reason))
        problems.push_back(fmt::format("reason of the run {}, not {}", joined(run_reasons, "|"),
                                       attack.run_reason));
    return result;
}

grader::Result<void> Selftest::compare(SelftestResult& result) const {
    const auto verdicts = json_lines(in("out") / "verdicts.jsonl");
    if (!verdicts) return tl::unexpected(verdicts.error());
    const auto runs = json_lines(in("out") / "results.jsonl");
    if (!runs) return tl::unexpected(runs.error());
    std::map<std::string, const Json*> verdict_of;
    std::map<std::string, std::vector<const Json*>> runs_of;
    for (const Json& line : *verdicts) verdict_of[word_of(&line, "model")] = &line;
    for (const Json& line : *runs) runs_of[word_of(&line, "model")].push_back(&line);
    for (const Attack& attack : corpus_.attacks) {
        const auto found = verdict_of.find(attack.name);
        result.attacks.push_back(
            compare_one(result.mode == "portable" ? in_portable_mode(attack, corpus_) : attack,
                        found == verdict_of.end() ? nullptr : found->second, runs_of[attack.name]));
    }
    return {};
}

void Selftest::check_after(SelftestResult& result,
                           const std::set<std::string>& mounts_before) const {
    result.after.push_back({"no process is left", joined(children_left(kPatience), ", ")});
    std::set<std::string> mounts, groups;
    const auto mounts_after = mounts_now();
    std::set_difference(mounts_after.begin(), mounts_after.end(), mounts_before.begin(),
                        mounts_before.end(), std::inserter(mounts, mounts.end()));
    result.after.push_back({"no mount is left", joined(mounts, ", ")});
    std::error_code error;
    for (const std::string& group : groups_)
        if (fs::exists(group, error)) groups.insert(group);
    result.after.push_back({"no control group is left", joined(groups, ", ")});
    const bool same = sandbox::text_of(in("marker.txt")) == word_ + "\n";
    result.after.push_back({"a file outside is as it was", same ? "" : "marker.txt was changed"});
    result.after.push_back(
        {"nothing of it is in the results", joined(files_with(in("out"), word_), ", ")});
}

grader::Result<SelftestResult> Selftest::run(
    const std::function<void(const grader::Progress&)>& on_progress) {
    auto prepared = prepare();
    if (!prepared) return tl::unexpected(std::move(prepared).error());
    grader::GradeOptions grading = standard_grade_options(options_.jobs);
    grading.submissions = {in("attacks.jsonl")};
    grading.tasks = in("tasks");
    grading.out = in("out");
    grading.hidden_seed = random_seed();
    grading.stop_fd = options_.stop_fd;
    adopt_orphans();
    const auto mounts_before = mounts_now();
    const auto graded = grader::grade(grading, [&](const grader::Progress& progress) {
        groups_.merge(groups_of_our_helpers());
        on_progress(progress);
    });
    if (!graded) return tl::unexpected(graded.error());
    SelftestResult result;
    result.stopped = graded->stopped;
    result.mode = graded->summary.facts.mode;
    if (result.stopped) return result;
    auto compared = compare(result);
    if (!compared) return tl::unexpected(std::move(compared).error());
    check_after(result, mounts_before);
    return result;
}

}  // namespace

std::size_t SelftestResult::differences() const {
    const auto attacks_wrong = std::count_if(attacks.begin(), attacks.end(),
                                             [](const auto& one) { return !one.problems.empty(); });
    const auto after_wrong = std::count_if(after.begin(), after.end(),
                                           [](const auto& one) { return !one.problem.empty(); });
    return static_cast<std::size_t>(attacks_wrong + after_wrong);
}

grader::Result<SelftestResult> run_selftest(
    const SelftestOptions& options,
    const std::function<void(const grader::Progress&)>& on_progress) {
    return Selftest(options).run(on_progress);
}

}  // namespace tools
