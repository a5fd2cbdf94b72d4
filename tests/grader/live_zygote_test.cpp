// Zygotes: what a case must not reach, what it must not leave, and when it is executed instead.
// Compares no verdicts.
// Run by the live suite.
#include "grader/languages.hpp"
#include "grader/run_case.hpp"
#include "tests/grader/live_stage.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <unistd.h>

using namespace grader;
using sandbox::Ending;

namespace {

sandbox::Limits limits() {
    sandbox::Limits limits;
    limits.cpu_time = std::chrono::milliseconds(500);
    limits.wall_time = std::chrono::milliseconds(3000);
    return limits;
}

/// The sources, one after the other in one jail with a reset between them.
std::vector<CaseOutput> in_one_jail(Language language, const std::vector<std::string>& sources) {
    live::Stage& stage = live::Stage::get();
    auto jail = sandbox::Jail::create(stage.supervisor, language_row(language).profile, limits());
    REQUIRE_MESSAGE(jail, jail.error().what);
    std::vector<CaseOutput> outputs;
    for (const std::string& source : sources) {
        if (!outputs.empty()) REQUIRE(jail->reset());
        const Program program{language, std::nullopt, source};
        auto output =
            run_case(*jail, stage.toolkit, program, {std::string(kSelfTestCase), true}, limits());
        REQUIRE_MESSAGE(output, output.error().what);
        outputs.push_back(std::move(*output));
    }
    return outputs;
}

std::string python(const std::string& body) {
    return "import os, sys\ndef predict(w, a, m):\n" + body;
}

std::string lua(const std::string& body) {
    return "function predict(w, a, m) " + body + " end";
}

const std::string kPlain = python("    return {'pid': os.getpid(), 'parent': os.getppid()}\n");
const std::string kPlainAnswer = R"({"answer":{"pid":3,"parent":1}})";

/// `source` does its worst, and the case after it is as it would have been.
CaseOutput attack_between(const std::string& source) {
    auto outputs = in_one_jail(Language::python, {kPlain, source, kPlain});
    for (const std::size_t i : {0U, 2U}) {
        CAPTURE(outputs[i].outcome.err);
        CHECK(outputs[i].outcome.answer == kPlainAnswer);
        CHECK(outputs[i].outcome.forked);
    }
    return std::move(outputs[1]);
}

/// The oldest process called python3... below `pid`: what an operator or a host short of memory
/// could hit. -1: there is none.
pid_t zygote_below(pid_t pid) {
    const std::string process = "/proc/" + std::to_string(pid);
    std::string name;
    std::getline(std::ifstream(process + "/comm") >> std::ws, name);
    if (name.starts_with("python3")) return pid;
    std::ifstream children(process + "/task/" + std::to_string(pid) + "/children");
    for (pid_t child = 0; children >> child;) {
        if (const pid_t found = zygote_below(child); found > 0) return found;
    }
    return -1;
}

}  // namespace

TEST_CASE("zygote: one that is ended between two cases is replaced") {
    live::Stage& stage = live::Stage::get();
    auto jail = sandbox::Jail::create(stage.supervisor, sandbox::Profile::python, limits());
    REQUIRE(jail);
    const Program program{Language::python, std::nullopt, kPlain};
    for (int i = 0; i < 3; ++i) {
        const auto output =
            run_case(*jail, stage.toolkit, program, {std::string(kSelfTestCase), true}, limits());
        REQUIRE_MESSAGE(output, output.error().what);
        CHECK(output->outcome.answer == kPlainAnswer);
        CHECK(output->outcome.forked);
        const pid_t zygote = zygote_below(::getpid());
        REQUIRE(zygote > 0);
        REQUIRE(::kill(zygote, SIGKILL) == 0);
        std::this_thread::sleep_for(std::chrono::milliseconds(20));  // init tells the helper
        REQUIRE(jail->reset());
    }
}

TEST_CASE("zygote: one that is ended during a case ends it, and the jail is replaced") {
    std::thread killer([] {
        for (int i = 0; i < 500 && zygote_below(::getpid()) < 0; ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        std::this_thread::sleep_for(std::chrono::milliseconds(300));
        const pid_t zygote = zygote_below(::getpid());
        if (zygote > 0) (void)::kill(zygote, SIGKILL);  // never -1: that would be everybody
    });
    const auto outputs = in_one_jail(
        Language::python, {python("    import time; time.sleep(2.5); return {}\n"), kPlain});
    killer.join();
    CHECK(outputs[0].outcome.ending == Ending::signaled);
    CHECK(outputs[0].outcome.signal == SIGKILL);
    CHECK(outputs[1].outcome.answer == kPlainAnswer);
}

TEST_CASE("zygote: every case is a child of init with the same pid") {
    for (const CaseOutput& output :
         in_one_jail(Language::python, {kPlain, kPlain, kPlain, kPlain})) {
        CHECK(output.outcome.answer == kPlainAnswer);
        CHECK(output.outcome.forked);
        CHECK(output.outcome.usage.processes_peak == 1);
        CHECK(!output.outcome.leftover_processes);
    }
    for (const CaseOutput& output :
         in_one_jail(Language::lua, {lua("return {a = 1}"), lua("return {a = 1}")})) {
        CHECK(output.outcome.forked);
        CHECK(output.outcome.answer == R"({"answer":{"a":1}})");
    }
}

TEST_CASE("zygote: random numbers are fresh in every child") {
    const std::string source = python(
        "    import random, uuid\n"
        "    return {'r': random.getrandbits(60), 'u': os.urandom(8).hex(), 'v': "
        "str(uuid.uuid4())}\n");
    std::set<std::string> answers;
    for (const CaseOutput& output : in_one_jail(Language::python, {source, source, source}))
        answers.insert(output.outcome.answer);
    CHECK(answers.size() == 3);
    const std::string numbers = lua("return {a = math.random(0)}");
    answers.clear();
    for (const CaseOutput& output : in_one_jail(Language::lua, {numbers, numbers, numbers}))
        answers.insert(output.outcome.answer);
    CHECK(answers.size() == 3);
}

TEST_CASE("zygote: the order of a set is the same in every child") {
    const std::string source = python("    return {'s': str({'a', 'b', 'c', 'd', 'e', 'f'})}\n");
    std::set<std::string> answers;
    for (const CaseOutput& output : in_one_jail(Language::python, {source, source}))
        answers.insert(output.outcome.answer);
    for (const CaseOutput& output : in_one_jail(Language::python, {source}))
        answers.insert(output.outcome.answer);
    CHECK(answers.size() == 1);
}

TEST_CASE("zygote: no signal reaches it or init") {
    const CaseOutput output =
        attack_between(python("    refused = 0\n"
                              "    for pid in (1, 2, -1, -2):\n"
                              "        for signal in (0, 9, 15, 18, 19):\n"
                              "            try: os.kill(pid, signal)\n"
                              "            except OSError: refused += 1\n"
                              "    return {'refused': refused}\n"));
    CAPTURE(output.outcome.err);
    // kill(-1) says 0 when every process it finds may not be signalled.
    CHECK(output.outcome.answer == R"({"answer":{"refused":15}})");
}

TEST_CASE("zygote: no signal is sent to it by way of a descriptor's owner") {
    const CaseOutput output =
        attack_between(python("    import fcntl\n"
                              "    r, w = os.pipe()\n"
                              "    fcntl.fcntl(r, fcntl.F_SETOWN, 2)\n"
                              "    return {}\n"));
    CHECK(output.outcome.ending == Ending::policy_violation);
    CHECK(output.outcome.blocked_call == "fcntl");
}

TEST_CASE("zygote: what it holds is not there for a case") {
    const CaseOutput output =
        attack_between(python("    found = []\n"
                              "    for fd in range(4, 1024):\n"
                              "        try: os.fstat(fd); found.append(fd)\n"
                              "        except OSError: pass\n"
                              "    return {'open': str(found), 'box': len(os.listdir('/box')),\n"
                              "            'dumpable': os.path.exists('/proc')}\n"));
    CHECK(output.outcome.answer == R"({"answer":{"open":"[]","box":0,"dumpable":false}})");
}

TEST_CASE("zygote: its socket cannot be had again, nor its loop entered") {
    const CaseOutput output =
        attack_between(python("    import ctypes\n"
                              "    ctypes.PyDLL('/perfjudge-zygote.so').perfjudge_zygote_serve()\n"
                              "    os.dup2(0, 5)\n"
                              "    ctypes.PyDLL('/perfjudge-zygote.so').perfjudge_zygote_serve()\n"
                              "    return {}\n"));
    CHECK(output.outcome.ending == Ending::policy_violation);
    const std::vector<std::pair<std::string, int>> held{
        {"socketpair", 53},        {"socket", 41},       {"recvmsg", 47},
        {"pidfd_open", 434},       {"ptrace", 101},      {"process_vm_writev", 311},
        {"process_vm_readv", 310}, {"pidfd_getfd", 438}, {"prctl", 157}};
    for (const auto& call : held) {
        const auto& name = call.first;
        const auto number = call.second;
        CAPTURE(name);
        const CaseOutput end =
            attack_between(python("    import ctypes\n    ctypes.CDLL(None).syscall(" +
                                  std::to_string(number) + ", 2, 2, 2, 2, 0, 0)\n    return {}\n"));
        CHECK(end.outcome.ending == Ending::policy_violation);
        CHECK(end.outcome.blocked_call == name);
    }
}

TEST_CASE("zygote: what a case changes in its modules and its memory stays its own") {
    const std::string look =
        "    import json, math, builtins, ctypes\n"
        "    text = ctypes.string_at(ctypes.cast(ctypes.PyDLL('/perfjudge-zygote.so')"
        ".perfjudge_zygote_serve, ctypes.c_void_p).value, 4)\n"
        "    state = [getattr(json, 'mark', 0), getattr(math, 'mark', 0), sum([1, 2]),\n"
        "             'late' in sys.modules, sys.getrecursionlimit(), text.hex() == '90909090',\n"
        "             os.umask(0o22), os.getcwd(), len(os.listdir('/box')), "
        "os.environ.get('MARK')]\n";
    const std::string change =
        "    json.mark = math.mark = 1\n"
        "    builtins.sum = lambda x: 0\n"
        "    sys.modules['late'] = sys\n"
        "    sys.setrecursionlimit(99)\n"
        "    os.umask(0)\n"
        "    open('/box/mark', 'w').write('x')\n"
        "    os.chdir('/')\n"
        "    os.environ['MARK'] = 'x'\n"
        "    place = ctypes.cast(ctypes.PyDLL('/perfjudge-zygote.so').perfjudge_zygote_serve,"
        " ctypes.c_void_p).value\n"
        "    ctypes.CDLL(None).mprotect(ctypes.c_void_p(place & ~4095), 8192, 7)\n"
        "    ctypes.memmove(place, b'\\x90' * 4, 4)\n";
    const std::string answer = "    return {'state': str(state)}\n";
    const auto outputs =
        in_one_jail(Language::python,
                    {python(look + answer), python(look + change + answer), python(look + answer)});
    REQUIRE(!outputs[0].outcome.answer.empty());
    CAPTURE(outputs[1].outcome.err);
    CHECK(outputs[1].outcome.answer == outputs[0].outcome.answer);
    CHECK(outputs[2].outcome.answer == outputs[0].outcome.answer);
}

TEST_CASE(
    "zygote: a case that uses up descriptors, memory or processes takes nothing from the next") {
    (void)attack_between(
        python("    kept = []\n"
               "    try:\n"
               "        while True: kept.append(os.open('/dev/null', 0))\n"
               "    except OSError: pass\n"
               "    return {}\n"));
    const CaseOutput memory = attack_between(python("    return {'x': len('x' * (1 << 30))}\n"));
    CHECK(memory.outcome.ending != Ending::policy_violation);
    const CaseOutput processes =
        attack_between(python("    import time\n"
                              "    try:\n"
                              "        while os.fork() != 0: pass\n"
                              "        time.sleep(60)\n"
                              "    except OSError: pass\n"
                              "    return {'n': 1}\n"));
    CHECK(processes.outcome.leftover_processes);
    CHECK(processes.outcome.answer == R"({"answer":{"n":1}})");
}

TEST_CASE("zygote: what outlives a case dies, and the next case has a new zygote") {
    const CaseOutput output =
        attack_between(python("    if os.fork() == 0:\n"
                              "        os.setsid()\n"
                              "        if os.fork() == 0:\n"
                              "            while True: pass\n"
                              "        os._exit(0)\n"
                              "    return {'n': 1}\n"));
    CHECK(output.outcome.leftover_processes);
    CHECK(output.outcome.answer == R"({"answer":{"n":1}})");
}

TEST_CASE("zygote: an end by a limit leaves a jail for the next case") {
    const CaseOutput spin = attack_between(python("    while True: pass\n"));
    CHECK(spin.outcome.ending == Ending::cpu_limit);
    const CaseOutput sleep = attack_between(python("    import time; time.sleep(60)\n"));
    CHECK(sleep.outcome.ending == Ending::wall_limit);
    const CaseOutput call = attack_between(python("    import _socket; _socket.socket()\n"));
    CHECK(call.outcome.ending == Ending::policy_violation);
    CHECK(call.outcome.blocked_call == "socket");
    const CaseOutput crash = attack_between(python("    os.abort()\n"));
    CHECK(crash.outcome.ending == Ending::signaled);
    CHECK(crash.outcome.signal == 6);
}

TEST_CASE("zygote: threads are no leftovers of the next case") {
    const CaseOutput output = attack_between(
        python("    import threading\n"
               "    threads = [threading.Thread(target=sum, args=([1],)) for _ in range(4)]\n"
               "    for t in threads: t.start()\n"
               "    for t in threads: t.join()\n"
               "    return {'n': 1}\n"));
    CAPTURE(output.outcome.err);
    CHECK(output.outcome.answer == R"({"answer":{"n":1}})");
}

TEST_CASE("zygote: the filter is there before the first line of a submission") {
    const CaseOutput output =
        attack_between("import ctypes\nctypes.CDLL(None).syscall(41, 2, 1, 0)\n");
    CHECK(output.outcome.ending == Ending::policy_violation);
    CHECK(output.outcome.blocked_call == "socket");
    const CaseOutput limits_read = attack_between(
        python("    import resource\n"
               "    return {'files': resource.getrlimit(resource.RLIMIT_NOFILE)[1],\n"
               "            'core': resource.getrlimit(resource.RLIMIT_CORE)[1]}\n"));
    CHECK(limits_read.outcome.answer == R"({"answer":{"files":64,"core":1}})");
}

/// Microseconds of CPU that a process has used, as the kernel's clock ticks.
std::uint64_t cpu_us_of(pid_t pid) {
    std::string stat;
    std::getline(std::ifstream("/proc/" + std::to_string(pid) + "/stat"), stat);
    std::istringstream fields(stat.substr(stat.rfind(')') + 2));
    std::string skipped;
    for (int field = 3; field < 14; ++field) fields >> skipped;
    std::uint64_t user = 0, system = 0;
    fields >> user >> system;
    return (user + system) * 1'000'000U / static_cast<std::uint64_t>(::sysconf(_SC_CLK_TCK));
}

TEST_CASE("zygote: its own time is in no case, also not in one that it dies with") {
    live::Stage& stage = live::Stage::get();
    auto jail = sandbox::Jail::create(stage.supervisor, sandbox::Profile::python, limits());
    REQUIRE(jail);
    const auto run = [&](const std::string& source) {
        auto output = run_case(*jail, stage.toolkit, {Language::python, std::nullopt, source},
                               {std::string(kSelfTestCase), true}, limits());
        REQUIRE_MESSAGE(output, output.error().what);
        return std::move(output->outcome);
    };
    const auto first = run(kPlain);  // starts it
    const pid_t zygote = zygote_below(::getpid());
    REQUIRE(zygote > 0);
    const std::uint64_t its_own = cpu_us_of(zygote);  // its modules, mostly
    REQUIRE(its_own > 0);
    REQUIRE(jail->reset());
    const auto last =
        run(python("    if os.fork() == 0:\n"
                   "        while True: pass\n"
                   "    return {'n': 1}\n"));
    CHECK(last.leftover_processes);
    // Two amounts of the same clock, far apart: what its start costs and what a small case costs.
    CHECK(first.usage.cpu_us < its_own);
    CHECK(last.usage.cpu_us < its_own);
}
