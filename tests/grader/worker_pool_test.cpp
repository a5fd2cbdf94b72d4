// Tests of grader/worker_pool.hpp and grader/runner.hpp with real processes that die on command.
// No jail: what a real worker does is tested by live_worker_test.cpp and through `perfjudge grade`.
// Run by the live suite.
#include "grader/worker_pool.hpp"

#include "grader/runner.hpp"
#include "grader/verdict_line.hpp"
#include "tests/support/temp_dir.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

using grader::Error;
using grader::Grade;
using grader::Language;
using grader::LoadedTask;
using grader::PoolOptions;
using grader::Reason;
using grader::Result;
using grader::Store;
using grader::Verdict;
using grader::Work;
using grader::WorkerPool;

namespace {

PoolOptions pool_options(std::uint32_t workers, const std::string& how = "") {
    PoolOptions options;
    const char* program = std::getenv("PERFJUDGE_SCRIPTED_WORKER");
    REQUIRE(program);
    options.program = program;
    options.args = {how};
    options.env = {"LC_ALL=C"};
    options.workers = workers;
    options.max_line_bytes = 1'000'000;
    options.silence = std::chrono::milliseconds(2'000);
    return options;
}

/// A batch of scripted submissions against a task whose answer is its input.
class Bench {
  public:
    explicit Bench(const std::string& solution = "echo") {
        temp_.write("task/solutions/solution.py", solution);
        task_.task.id = "echo";
        task_.task.folder = temp_.path() / "task";
        task_.task.visible_cases = 1;
        task_.task.limits.wall_time = std::chrono::milliseconds(1);
        for (int i = 0; i < 4; ++i) {
            task_.cases.inputs.push_back({"{\"x\":" + std::to_string(i) + "}", i == 0});
            grader::Expected expected(1);
            expected[0].name = "x";
            expected[0].value = i;
            task_.cases.expected.push_back(expected);
        }
    }

    sandbox::Limits& limits() { return task_.task.limits; }
    void add(const std::string& source, Language language = Language::python) {
        Work work;
        work.key = {"echo", "m", static_cast<std::int64_t>(works_.size()), 0};
        work.task = &task_;
        work.extraction.source = grader::Source{language, source};
        works_.push_back(std::move(work));
    }

    Result<bool> run(std::uint32_t workers, std::uint32_t repeats = 1,
                     const std::string& how = "") {
        Result<Store> store = Store::create(temp_.path() / "out");
        REQUIRE(store);
        Result<WorkerPool> pool = WorkerPool::start(pool_options(workers, how));
        REQUIRE(pool);
        grader::RunnerHooks hooks;
        hooks.ready = [](const grader::Hello&) { return Result<void>(); };
        hooks.finished = [&](const Work& work) {
            CHECK(!grades_.contains(work.key.sample));
            grades_[work.key.sample] = grader::grade_of(work.repeats, task_.totals());
        };
        Result<bool> done = grader::run_all(works_, *pool, *store, {repeats, -1}, hooks);
        const Result<void> read = store->read_results([&](std::string_view, std::size_t) {
            ++lines_;
            return Result<void>();
        });
        CHECK(read);
        return done;
    }

    [[nodiscard]] std::string path(const std::string& name) const {
        return (temp_.path() / name).string();
    }
    const Grade& grade(std::int64_t sample) { return grades_.at(sample); }
    Verdict verdict(std::int64_t sample) { return grades_.at(sample).judgement.verdict; }
    [[nodiscard]] std::size_t lines() const { return lines_; }

  private:
    support::TempDir temp_;
    LoadedTask task_;
    std::vector<Work> works_;
    std::map<std::int64_t, Grade> grades_;
    std::size_t lines_ = 0;
};

}  // namespace

TEST_CASE("worker_pool: many jobs on several workers, each once") {
    Bench bench;
    for (int i = 0; i < 20; ++i) bench.add(i % 5 == 4 ? "wrong" : "echo");
    const auto done = bench.run(3, 2);
    REQUIRE(done);
    CHECK(*done);
    CHECK(bench.lines() == 40);
    for (int i = 0; i < 20; ++i)
        CHECK(bench.verdict(i) == (i % 5 == 4 ? Verdict::wrong_answer : Verdict::accepted));
}

TEST_CASE("worker_pool: a build that fails is CE, a job that always fails breaks its worker") {
    Bench bench;
    bench.add("unbuilt");
    bench.add("fails");
    bench.add("echo");
    bench.add("echo", Language::lua);
    REQUIRE(bench.run(2));
    CHECK(bench.grade(0).judgement == grader::Judgement{Verdict::compile_error, Reason::refused});
    CHECK(bench.grade(1).judgement ==
          grader::Judgement{Verdict::security_violation, Reason::breaks_worker});
    CHECK(bench.verdict(2) == Verdict::accepted);
    CHECK(bench.verdict(3) == Verdict::judge_error);  // a language that is not offered
    CHECK(bench.grade(3).detail.find("lua: not in this test") != std::string::npos);
}

TEST_CASE("worker_pool: a job that fails or kills once or twice costs nothing") {
    Bench bench;
    bench.add("dies_at_first " + bench.path("once") + " 1");
    bench.add("dies_at_first " + bench.path("twice") + " 2");
    bench.add("fails_at_first " + bench.path("failed") + " 2");
    bench.add("echo");
    REQUIRE(bench.run(2));
    for (int i = 0; i < 4; ++i) CHECK(bench.verdict(i) == Verdict::accepted);
}

TEST_CASE("worker_pool: a submission that kills every worker breaks them, others are untouched") {
    Bench bench;
    bench.add("dies");
    for (int i = 0; i < 6; ++i) bench.add("echo");
    bench.add("dies");
    REQUIRE(bench.run(2));
    for (int i : {0, 7})
        CHECK(bench.grade(i).judgement ==
              grader::Judgement{Verdict::security_violation, Reason::breaks_worker});
    for (int i = 1; i <= 6; ++i) CHECK(bench.verdict(i) == Verdict::accepted);
}

TEST_CASE("worker_pool: where a known-good submission does not pass, it is JE") {
    for (const std::string solution : {"wrong", "dies", "fails", "unbuilt"}) {
        CAPTURE(solution);
        Bench bench(solution);
        bench.add("dies");
        bench.add("echo");
        REQUIRE(bench.run(1));
        CHECK(bench.verdict(0) == Verdict::judge_error);
        CHECK(bench.verdict(1) == Verdict::accepted);
    }
}

TEST_CASE("worker_pool: repeats that ended before a death are kept") {
    Bench bench;
    bench.add("dies_late");
    REQUIRE(bench.run(1, 3));
    // Every try brings one repeat more, so the third try has only one to run and ends well.
    CHECK(bench.verdict(0) == Verdict::accepted);
    CHECK(bench.grade(0).repeats == 3);
    CHECK(bench.lines() == 3);
}

TEST_CASE("worker_pool: a worker that breaks the protocol is replaced") {
    for (const std::string how : {"garbage", "endless", "silent", "foreign", "skips"}) {
        CAPTURE(how);
        Bench bench;
        bench.add(how);
        bench.add("echo");
        REQUIRE(bench.run(1));
        CHECK(bench.verdict(0) == Verdict::security_violation);
        CHECK(bench.verdict(1) == Verdict::accepted);
    }
}

TEST_CASE(
    "worker_pool: a case may take its wall time twice, whatever silence means a dead worker") {
    Bench bench;
    bench.limits().wall_time = std::chrono::milliseconds(5'000);
    bench.add("slow");
    REQUIRE(bench.run(1));
    CHECK(bench.verdict(0) == Verdict::accepted);
}

TEST_CASE("worker_pool: a host that cannot judge is an error, soon") {
    for (const std::string how : {"cannot", "ends", "no_language"}) {
        CAPTURE(how);
        Bench bench;
        bench.add("echo");
        const auto done = bench.run(4, 1, how);
        REQUIRE(!done);
        CHECK(done.error().code == Error::Code::cannot_judge);
    }
}

TEST_CASE("worker_pool: a worker that says no hello in time is an error") {
    PoolOptions options = pool_options(1, "no_hello");
    options.hello_within = std::chrono::milliseconds(50);
    Result<WorkerPool> pool = WorkerPool::start(options);
    REQUIRE(pool);
    bool failed = false;
    for (int i = 0; i < 100 && !failed; ++i)
        failed = !pool->wait(-1, std::chrono::milliseconds(1'000)).has_value();
    CHECK(failed);
}
