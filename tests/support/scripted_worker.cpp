// A small real process that speaks the worker protocol and fails on command: the first word of a
// job's source says how. Runs no submission and needs no jail. Started by worker_pool_test.cpp in
// the place of `perfjudge worker`.
#include "grader/protocol.hpp"

#include <array>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>

#include <unistd.h>

namespace {

void say(const grader::WorkerMessage& message) {
    std::cout << encode(message) << '\n' << std::flush;
}

[[noreturn]] void die() {
    std::cout << std::flush;
    (void)::kill(::getpid(), SIGKILL);
    std::abort();
}

/// Dies the first `times` times it is called with this file.
/// True for the first `times` calls that name this file.
bool is_among_first(const std::string& file, int times) {
    int before = 0;
    std::ifstream(file) >> before;
    if (before >= times) return false;
    std::ofstream(file) << before + 1;
    return true;
}

/// Every case's input is echoed as its answer.
void run(const grader::Job& job, const std::string& word) {
    grader::Built built{job.id, {}};
    built.build.built = word != "unbuilt";
    built.build.outcome.exit_code = built.build.built ? 0 : 1;
    say(built);
    if (!built.build.built) return;
    for (std::uint32_t repeat = 0; repeat < job.repeats; ++repeat) {
        for (std::uint32_t index = 0; index < job.cases.size(); ++index) {
            if (word == "skips" && index == 1) continue;
            if (word == "dies_late" && repeat == 1) die();
            grader::CaseDone done{job.id, repeat, index, {}};
            const std::string& input = job.cases[index].json;
            done.output.outcome.answer =
                "{\"answer\":" + (word == "wrong" ? "{\"x\":-1}" : input) + "}\n";
            say(done);
        }
    }
}

void serve(const grader::Job& job) {
    std::istringstream words(job.source);
    std::string word, file;
    int times = 0;
    words >> word >> file >> times;
    if (word == "dies") die();
    if (word == "dies_at_first" && is_among_first(file, times)) die();
    if (word == "fails" || (word == "fails_at_first" && is_among_first(file, times)))
        return say(grader::JobFailed{job.id, "scripted"});
    if (word == "garbage") std::cout << "no json\n" << std::flush;
    if (word == "endless") std::cout << std::string(4'000'000, 'x') << std::flush;
    if (word == "silent") (void)::pause();
    if (word == "slow") (void)::sleep(3);
    if (word == "foreign") say(grader::JobDone{job.id + 1000});
    run(job, word);
    say(grader::JobDone{job.id});
}

}  // namespace

int main(int argc, char** argv) {
    const std::string how = argc > 1 ? argv[1] : "";
    if (how == "cannot") return 3;
    if (how == "ends") return 1;
    if (how == "no_hello") (void)::pause();
    grader::Hello hello;
    hello.mode = "scripted";
    if (how != "no_language") hello.tools.push_back({grader::Language::python, "Python of a test"});
    hello.missing.emplace_back("lua: not in this test");
    say(hello);
    for (std::string line; std::getline(std::cin, line);) {
        const grader::Result<grader::Job> job = grader::decode_job(line);
        if (!job) return 2;
        serve(*job);
    }
    return 0;
}
