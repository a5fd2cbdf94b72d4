// Each stage in the order of the flow; what a stage does is in its own file.
// Holds the only join of keys, works and entries.
// See grade.hpp.
#include "grader/grade.hpp"

#include "grader/extract.hpp"
#include "grader/manifest.hpp"
#include "grader/record.hpp"
#include "grader/runner.hpp"
#include "grader/sha256.hpp"
#include "grader/store.hpp"
#include "grader/submission.hpp"
#include "grader/task.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <utility>

namespace grader {

namespace {

using TaskMap = std::map<std::string, LoadedTask>;

std::string_view bytes_of(const reference::Seed& seed) {
    return {reinterpret_cast<const char*>(seed.data()), seed.size()};
}

/// Whether a record is the next repeat of the same code.
bool continues(const Work& work, const Record& record) {
    return record.source_sha256 == work.source_sha256 &&
           record.language == work.extraction.source->language &&
           record.number == work.repeats.size();
}

Json load_report(const Batch& batch, const std::vector<Key>& missing) {
    return Json::object({{"lines_read", batch.lines_read},
                         {"submissions", batch.submissions.size()},
                         {"duplicates", batch.duplicates},
                         {"ungraded", batch.ungraded.size()},
                         {"problems", batch.problems.size()},
                         {"missing", missing.size()}});
}

/// A submission without code: CE, and nothing to run.
struct WithoutCode {
    Work work;
    std::optional<Language> language;  // as the line says
    bool recorded = false;             // by an earlier run
};

/// What all stages of one batch share.
class BatchRun {
  public:
    explicit BatchRun(const GradeOptions& options) : options_(options) {}

    Result<void> open();
    Result<void> load_cases();
    void extract_all();
    Result<void> read_earlier();
    Result<bool> run(const std::function<void(const Progress&)>& on_progress);
    Result<Summary> finish();

  private:
    Result<void> load_batch();
    Result<void> make_all_cases();
    Result<void> check_manifest();
    Result<void> begin(const Hello* hello);
    Result<void> record_without_code(const WithoutCode& item);
    void add_entry(const Work& work, const std::vector<Repeat>& repeats);
    [[nodiscard]] const reference::Seed& seed() const {
        return options_.hidden_seed ? *options_.hidden_seed : development_seed();
    }

    const GradeOptions& options_;
    std::unique_ptr<Store> store_;
    std::vector<Task> task_list_;
    TaskMap tasks_;
    Batch batch_;
    std::vector<Key> missing_;
    Manifest manifest_;
    bool manifest_written_ = false;
    std::vector<WithoutCode> without_code_;
    std::vector<Work> works_;
    std::vector<Entry> entries_;
    Progress progress_;
    std::string mode_;
};

/// The result folder is touched last: a mistyped path leaves nothing behind.
Result<void> BatchRun::open() {
    Result<std::vector<Task>> tasks = load_tasks(options_.tasks);
    if (!tasks) return tl::unexpected(std::move(tasks.error()));
    task_list_ = std::move(*tasks);
    Result<void> loaded = load_batch();
    if (!loaded) return loaded;
    Result<Store> store =
        options_.resume ? Store::resume(options_.out) : Store::create(options_.out);
    if (!store) return tl::unexpected(std::move(store.error()));
    store_ = std::make_unique<Store>(std::move(*store));
    return {};
}

Result<void> BatchRun::load_batch() {
    std::set<std::string> known;
    for (const Task& task : task_list_) known.insert(task.id);
    Result<Batch> batch = read_submissions(options_.submissions, known);
    if (!batch) return tl::unexpected(std::move(batch.error()));
    batch_ = std::move(*batch);
    if (!options_.samples) return {};
    std::vector<Key> keys;
    for (const Submission& submission : batch_.submissions) keys.push_back(submission.key);
    for (const Ungraded& line : batch_.ungraded) keys.push_back(line.key);
    Result<std::vector<Key>> missing = missing_samples(keys, *options_.samples);
    if (!missing) return tl::unexpected(std::move(missing.error()));
    missing_ = std::move(*missing);
    return {};
}

Result<void> BatchRun::make_all_cases() {
    manifest_.version = options_.version;
    manifest_.seed_sha256 = sha256_hex(bytes_of(seed()));
    manifest_.public_seed = !options_.hidden_seed;
    manifest_.repeats = options_.repeats;
    for (Task& task : task_list_) {
        Result<Cases> cases = make_cases(task, seed());
        if (!cases) return tl::unexpected(std::move(cases.error()));
        const auto total = static_cast<std::uint32_t>(cases->inputs.size());
        manifest_.tasks.push_back({task.id, cases->hidden_sha256, task.visible_cases,
                                   total - task.visible_cases, task.limits});
        const std::string id = task.id;  // the right side of an assignment is evaluated first
        tasks_[id] = {std::move(task), std::move(*cases)};
    }
    return {};
}

Result<void> BatchRun::check_manifest() {
    const Result<Json> recorded = store_->manifest();
    if (!recorded) return tl::unexpected(recorded.error());
    if (recorded->is_null()) return {};
    const Result<std::optional<std::string>> differs = difference(*recorded, manifest_);
    if (!differs) return tl::unexpected(differs.error());
    if (*differs)
        return tl::unexpected(
            Error{Error::Code::bad_input,
                  fmt::format("cannot resume {}: {}", options_.out.string(), **differs)});
    manifest_written_ = true;
    const Json* mode = recorded->find("mode");
    if (mode != nullptr && mode->string() != nullptr) mode_ = *mode->string();
    return {};
}

Result<void> BatchRun::load_cases() {
    Result<void> done = make_all_cases();
    if (done) done = check_manifest();
    return done;
}

/// Extracts every reply: some are CE already, the others are to be run.
void BatchRun::extract_all() {
    progress_.total = batch_.submissions.size();
    for (const Submission& submission : batch_.submissions) {
        Work work;
        work.key = submission.key;
        work.task = &tasks_.at(submission.key.task);
        work.extraction = extract(submission, work.task->task.languages, work.task->task.entry);
        if (work.extraction.source) {
            work.source_sha256 = sha256_hex(work.extraction.source->bytes);
            works_.push_back(std::move(work));
        } else {
            without_code_.push_back({std::move(work), submission.language, false});
        }
    }
}

/// Takes over the repeats of an earlier run that still count: of the same code, and never JE.
Result<void> BatchRun::read_earlier() {
    std::map<Key, Work*> open;
    for (Work& work : works_) open[work.key] = &work;
    std::map<Key, WithoutCode*> codeless;
    for (WithoutCode& item : without_code_) codeless[item.work.key] = &item;
    Result<void> read =
        store_->read_results([&](std::string_view line, std::size_t) -> Result<void> {
            Result<Record> record = decode_record(line);
            if (!record) return tl::unexpected(std::move(record.error()));
            if (record->repeat.judgement.verdict == Verdict::judge_error) return {};
            const auto known_bad = codeless.find(record->key);
            if (known_bad != codeless.end() && record->source_sha256.empty())
                known_bad->second->recorded = true;
            const auto found = open.find(record->key);
            if (found == open.end() || !continues(*found->second, *record)) return {};
            Work& work = *found->second;
            work.repeats.push_back(std::move(record->repeat));
            if (!is_complete(work.repeats, options_.repeats)) return {};
            add_entry(work, work.repeats);
            work.repeats.clear();  // a long batch must not pile up its cases here
            work.task = nullptr;
            open.erase(found);
            return {};
        });
    std::erase_if(works_, [](const Work& work) { return work.task == nullptr; });
    return read;
}

void BatchRun::add_entry(const Work& work, const std::vector<Repeat>& repeats) {
    Entry entry;
    entry.key = work.key;
    if (work.extraction.source) entry.language = work.extraction.source->language;
    entry.source_sha256 = work.source_sha256;
    entry.grade = grade_of(repeats, work.task->totals());
    for (const Repeat& repeat : repeats)
        entry.slowest_cpu_us = std::max(entry.slowest_cpu_us, repeat.slowest_cpu_us);
    entry.other_policies_differ = work.extraction.other_policies_differ;
    ++progress_.done;
    if (entry.grade.judgement.verdict == Verdict::accepted) ++progress_.accepted;
    entries_.push_back(std::move(entry));
}

/// Writes the manifest, then the verdicts that need no run. Nothing is recorded before.
Result<void> BatchRun::begin(const Hello* hello) {
    // A summary names one kind of jail, so all results are from one.
    if (hello && !mode_.empty() && hello->mode != mode_)
        return tl::unexpected(Error{
            Error::Code::bad_input,
            fmt::format("cannot resume {}: its jails were in mode {}, here they are in mode {}; "
                        "give --mode {}, or another --out",
                        options_.out.string(), mode_, hello->mode, mode_)});
    if (hello) mode_ = hello->mode;
    if (!manifest_written_) {
        Json tools = Json::object();
        if (hello)
            for (const Hello::Tool& tool : hello->tools)
                tools.set(name(tool.language), tool.version);
        const Json facts = Json::object({{"host", options_.host},
                                         {"mode", mode_},
                                         {"tools", std::move(tools)},
                                         {"load", load_report(batch_, missing_)}});
        Result<void> written =
            store_->write("manifest.json", dump(manifest_json(manifest_, *facts.members())) + "\n");
        if (!written) return written;
        manifest_written_ = true;
    }
    for (const WithoutCode& item : without_code_) {
        Result<void> recorded = record_without_code(item);
        if (!recorded) return recorded;
    }
    return {};
}

Result<void> BatchRun::record_without_code(const WithoutCode& item) {
    const Extraction& extraction = item.work.extraction;
    Repeat repeat;
    repeat.judgement = {Verdict::compile_error, extraction.reason};
    repeat.detail = extraction.rule;
    if (extraction.truncated) repeat.flags |= Flag::truncated;
    add_entry(item.work, {repeat});
    entries_.back().language = item.language;
    if (item.recorded) return {};
    const Record record{item.work.key, 0, item.language, "", std::move(repeat)};
    return store_->append(encode_record(record, {extraction, nullptr, {}}));
}

Result<bool> BatchRun::run(const std::function<void(const Progress&)>& on_progress) {
    Result<void> cleared = store_->remove("verdicts.jsonl");
    if (cleared) cleared = store_->remove("summary.json");
    if (!cleared) return tl::unexpected(std::move(cleared.error()));
    if (works_.empty()) {
        Result<void> begun = begin(nullptr);
        if (!begun) return tl::unexpected(std::move(begun.error()));
        return true;
    }
    PoolOptions pool_options = options_.pool;
    pool_options.workers =
        static_cast<std::uint32_t>(std::min<std::size_t>(pool_options.workers, works_.size()));
    Result<WorkerPool> pool = WorkerPool::start(pool_options);
    if (!pool) return tl::unexpected(std::move(pool.error()));
    RunnerHooks hooks;
    hooks.ready = [&](const Hello& hello) { return begin(&hello); };
    hooks.finished = [&](const Work& work) {
        add_entry(work, work.repeats);
        ++progress_.ran;
        on_progress(progress_);
    };
    return run_all(works_, *pool, *store_, {options_.repeats, options_.stop_fd}, hooks);
}

Result<Summary> BatchRun::finish() {
    std::sort(entries_.begin(), entries_.end(),
              [](const Entry& a, const Entry& b) { return a.key < b.key; });
    std::string verdicts;
    for (const Entry& entry : entries_) verdicts += verdict_line(entry, options_.repeats) + '\n';
    BatchFacts facts;
    for (const TaskManifest& task : manifest_.tasks)
        facts.tasks.push_back({task.id, task.hidden_sha256});
    facts.ungraded = std::move(batch_.ungraded);
    facts.missing = std::move(missing_);
    facts.problems = std::move(batch_.problems);
    facts.duplicates = batch_.duplicates;
    facts.repeats = options_.repeats;
    facts.public_seed = manifest_.public_seed;
    facts.mode = mode_;
    Summary summary = summarise(entries_, std::move(facts));
    Result<void> done = store_->sync();
    if (done) done = store_->write("verdicts.jsonl", verdicts);
    if (done)
        done = store_->write("summary.json",
                             report_json(summary, {false, options_.show_hidden}) + "\n");
    if (!done) return tl::unexpected(std::move(done.error()));
    return summary;
}

}  // namespace

Result<GradeResult> grade(const GradeOptions& options,
                          const std::function<void(const Progress&)>& on_progress) {
    BatchRun batch(options);
    Result<void> ready = batch.open();
    if (ready) ready = batch.load_cases();
    if (ready) {
        batch.extract_all();
        ready = batch.read_earlier();
    }
    if (!ready) return tl::unexpected(std::move(ready.error()));
    Result<bool> ran = batch.run(on_progress);
    if (!ran) return tl::unexpected(std::move(ran.error()));
    if (!*ran) return GradeResult{true, {}};
    Result<Summary> summary = batch.finish();
    if (!summary) return tl::unexpected(std::move(summary.error()));
    return GradeResult{false, std::move(*summary)};
}

}  // namespace grader
