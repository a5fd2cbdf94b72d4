// The whole worker over files in place of pipes: hello, order of messages, limits, reset.
// Starts no coordinator.
// Run by the live suite.
#include "grader/protocol.hpp"
#include "grader/worker.hpp"
#include "sandbox/unique_fd.hpp"
#include "tests/grader/live_stage.hpp"

#include <doctest/doctest.h>

#include <sstream>
#include <string>
#include <vector>

#include <sys/mman.h>
#include <unistd.h>

using namespace grader;

namespace {

sandbox::UniqueFd memory_file(std::string_view bytes) {
    sandbox::UniqueFd fd(::memfd_create("lines", MFD_CLOEXEC));
    REQUIRE(fd.valid());
    REQUIRE(::write(fd.get(), bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
    REQUIRE(::lseek(fd.get(), 0, SEEK_SET) == 0);
    return fd;
}

std::vector<WorkerMessage> serve(const std::vector<Job>& jobs) {
    (void)live::Stage::get();  // skips where the host cannot jail
    std::string lines;
    for (const Job& job : jobs) lines += encode(job) + "\n";
    const sandbox::UniqueFd in = memory_file(lines);
    const sandbox::UniqueFd out = memory_file("");
    const auto served = run_worker({live::helper_path(), live::cache_path(), live::cache_path()},
                                   in.get(), out.get());
    REQUIRE_MESSAGE(served, served.error().what);
    std::string text(static_cast<std::size_t>(::lseek(out.get(), 0, SEEK_END)), '\0');
    REQUIRE(::pread(out.get(), text.data(), text.size(), 0) == static_cast<ssize_t>(text.size()));
    std::vector<WorkerMessage> messages;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
        auto message = decode_message(line);
        REQUIRE_MESSAGE(message, message.error().what);
        messages.push_back(std::move(*message));
    }
    return messages;
}

Job job_of(Language language, std::string source, std::size_t cases) {
    Job job;
    job.id = 1;
    job.language = language;
    job.source = std::move(source);
    job.limits.cpu_time = std::chrono::milliseconds(200);
    job.limits.wall_time = std::chrono::milliseconds(1000);
    job.cases.assign(cases, {std::string(kSelfTestCase), true});
    return job;
}

}  // namespace

TEST_CASE("worker: every language is offered, and messages come in order") {
    Job job = job_of(Language::lua, std::string(language_row(Language::lua).self_test), 3);
    job.repeats = 2;
    const auto messages = serve({job});
    REQUIRE(messages.size() == 9);
    const auto& hello = std::get<Hello>(messages[0]);
    CHECK(hello.tools.size() == 3);
    CHECK(hello.missing.empty());
    CHECK(std::get<Built>(messages[1]).build.built);
    for (std::uint32_t i = 0; i < 6; ++i) {
        const auto& done = std::get<CaseDone>(messages[2 + i]);
        CHECK(done.repeat == i / 3);
        CHECK(done.index == i % 3);
        CHECK(self_test_passed(done.output.outcome.answer));
    }
    CHECK(std::get<JobDone>(messages[8]).job == 1);
}

TEST_CASE("worker: a submission that does not compile has no cases") {
    const auto messages = serve({job_of(Language::cpp, "int", 3)});
    REQUIRE(messages.size() == 3);
    CHECK(!std::get<Built>(messages[1]).build.built);
    CHECK(std::holds_alternative<JobDone>(messages[2]));
}

TEST_CASE("worker: after three hard endings the rest is not run, each one ran twice") {
    const auto messages =
        serve({job_of(Language::python, "def predict(w, a, m):\n    while True: pass\n", 6)});
    REQUIRE(messages.size() == 6);
    for (std::size_t i = 2; i < 5; ++i) {
        const CaseOutput& output = std::get<CaseDone>(messages[i]).output;
        CHECK(output.ran_again);
        CHECK(output.outcome.ending == sandbox::Ending::cpu_limit);
    }
}

TEST_CASE("worker: nothing of one case is seen by the next") {
    const auto messages =
        serve({job_of(Language::python,
                      "import os\n"
                      "def predict(w, a, m):\n"
                      "    found = len(os.listdir('/box')) + len(os.listdir('/tmp'))\n"
                      "    open('/box/marker', 'w').write('x')\n"
                      "    if os.fork() == 0:\n"
                      "        os.setsid()\n"
                      "        while True: pass\n"
                      "    return {'found': found}\n",
                      3)});
    REQUIRE(messages.size() == 6);
    for (std::size_t i = 2; i < 5; ++i) {
        const CaseOutput& output = std::get<CaseDone>(messages[i]).output;
        CAPTURE(output.outcome.err);
        CHECK(output.outcome.leftover_processes);
        CHECK(output.outcome.answer == R"({"answer":{"found":0}})");
    }
}
