// What one case plants anywhere is not there for the next: after a reset, and in a jail made ahead.
// Compares no verdicts.
// Run by the live suite, as root and as an ordinary user.
#include "grader/languages.hpp"
#include "grader/run_case.hpp"
#include "tests/grader/live_stage.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <string>
#include <thread>

using namespace grader;

namespace {

sandbox::Jail make_jail() {
    auto jail = sandbox::Jail::create(live::Stage::get().supervisor, sandbox::Profile::python,
                                      live::Stage::get().limits);
    REQUIRE_MESSAGE(jail, jail.error().what);
    return std::move(*jail);
}

CaseOutput run(sandbox::Jail& jail, const std::string& source) {
    live::Stage& stage = live::Stage::get();
    const Program program{Language::python, std::nullopt, source};
    auto output =
        run_case(jail, stage.toolkit, program, {std::string(kSelfTestCase), true}, stage.limits);
    REQUIRE_MESSAGE(output, output.error().what);
    return std::move(*output);
}

/// The helper makes jails ahead while no request comes.
void let_it_park() {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
}

// Tries to leave something in every place that outlives a process somewhere on Linux.
constexpr const char* kPlant = R"(
import ctypes, fcntl, os, resource, signal
libc = ctypes.CDLL(None)
def attempt(act):
    try: return act()
    except (OSError, ValueError): pass
def predict(w, a, m):
    os.umask(0)
    attempt(lambda: os.chmod('/box', 0o755))
    for name in ('marker', '.hidden', 'a' * 255):
        open('/box/' + name, 'w').write('marker')
    os.makedirs('/box/deep/er', 0o777)
    os.symlink('/box/marker', '/box/link')
    attempt(lambda: open('/tmp/other', 'w').write('marker'))
    attempt(lambda: open('/dev/null', 'w').write('marker'))
    library = open(os.__file__)
    attempt(lambda: fcntl.lockf(library, fcntl.LOCK_SH))
    attempt(lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (5, 5)))
    attempt(lambda: os.setpriority(os.PRIO_PROCESS, 0, 19))
    attempt(lambda: os.sched_setaffinity(0, {0}))
    signal.signal(signal.SIGUSR1, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
    signal.setitimer(signal.ITIMER_REAL, 30)
    os.environ['MARKER'] = 'x'
    if os.fork() == 0:
        os.setsid()
        while True: pass
    return {'planted': len(os.listdir('/box'))}
)";

constexpr const char* kLook = R"(
import fcntl, os, resource, signal
def predict(w, a, m):
    library = os.open(os.__file__, os.O_RDONLY)
    free = 1
    try: fcntl.lockf(library, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError: free = 0
    box = os.stat('/box')
    return {'files': len(os.listdir('/box')) + len(os.listdir('/tmp')), 'umask': os.umask(0),
            'mode': box.st_mode & 0o7777, 'links': box.st_nlink, 'free': free, 'pid': os.getpid(),
            'nofile': resource.getrlimit(resource.RLIMIT_NOFILE)[0],
            'nice': os.getpriority(os.PRIO_PROCESS, 0), 'cpus': len(os.sched_getaffinity(0)),
            'usr1': str(signal.getsignal(signal.SIGUSR1)), 'timer': signal.getitimer(signal.ITIMER_REAL)[0] > 0,
            'mask': len(signal.pthread_sigmask(signal.SIG_BLOCK, [])), 'pending': len(signal.sigpending()),
            'marker': 'MARKER' in os.environ, 'cwd': os.getcwd(),
            'room': os.statvfs('/box').f_ffree, 'bytes': os.statvfs('/box').f_bfree}
)";

}  // namespace

TEST_CASE("pool: a reset leaves nothing of what a case planted") {
    sandbox::Jail untouched = make_jail();
    const std::string expected = run(untouched, kLook).outcome.answer;
    REQUIRE(!expected.empty());
    { const sandbox::Jail gone = std::move(untouched); }
    sandbox::Jail jail = make_jail();
    for (int i = 0; i < 3; ++i) {
        const CaseOutput planted = run(jail, kPlant);
        CAPTURE(planted.outcome.err);
        CHECK(planted.outcome.answer.find("planted") != std::string::npos);
        REQUIRE(jail.reset());
        CHECK(run(jail, kLook).outcome.answer == expected);
        REQUIRE(jail.reset());
    }
}

TEST_CASE("pool: a folder that was used and left as it was found is replaced") {
    const std::string look =
        "import ctypes, os\n"
        "def predict(w, a, m):\n"
        "    libc = ctypes.CDLL(None)\n"
        "    libc.opendir.restype = libc.readdir.restype = ctypes.c_void_p\n"
        "    libc.telldir.argtypes = libc.readdir.argtypes = [ctypes.c_void_p]\n"
        "    libc.telldir.restype = ctypes.c_long\n"
        "    box, places = libc.opendir(b'/box'), []\n"
        "    open('/box/one', 'w').close()\n"
        "    while libc.readdir(box): places.append(libc.telldir(box))\n"
        "    return {'places': str(places)}\n";
    const std::string before =
        "import os\ndef predict(w, a, m):\n    s = os.stat('/box')\n"
        "    return {'t': s.st_mtime_ns, 'm': s.st_mode, 'n': s.st_nlink}\n";
    const std::string use =
        "import os\n"
        "def predict(w, a, m):\n"
        "    refused = 0\n"
        "    for i in range(50):\n"
        "        open('/box/f%d' % i, 'w').close()\n"
        "        os.remove('/box/f%d' % i)\n"
        "    for act in (lambda: os.utime('/box', (0, 0)), lambda: os.utime('/box', ns=(0, 0)),\n"
        "                lambda: os.utime(os.open('/box', 0), (0, 0))):\n"
        "        try: act()\n"
        "        except PermissionError: refused += 1\n"
        "    return {'refused': refused}\n";
    sandbox::Jail jail = make_jail();
    const std::string fresh = run(jail, look).outcome.answer;
    REQUIRE(!fresh.empty());
    REQUIRE(jail.reset());
    const std::string state = run(jail, before).outcome.answer;
    for (int i = 0; i < 3; ++i) {
        REQUIRE(jail.reset());
        CHECK(run(jail, use).outcome.answer == R"({"answer":{"refused":3}})");
        REQUIRE(jail.reset());
        CHECK(run(jail, before).outcome.answer == state);
        REQUIRE(jail.reset());
        CHECK(run(jail, look).outcome.answer == fresh);
    }
    // What shows in numbers only: a change of mode, and a file that never had a name.
    const std::string numbers =
        "import os\n"
        "def predict(w, a, m):\n"
        "    s = os.stat('/box')\n"
        "    open('/box/one', 'w').close()\n"
        "    return {'ino': os.stat('/box/one').st_ino, 'm': s.st_mode}\n";
    const std::string quiet =
        "import os, time\n"
        "def predict(w, a, m):\n"
        "    time.sleep(0.02)\n"
        "    os.chmod('/box', 0o755)\n"
        "    os.chmod('/box', 0o700)\n"
        "    time.sleep(0.02)\n"  // more than a tick of the clock that stamps files
        "    try: os.open('/box', os.O_TMPFILE | os.O_RDWR)\n"
        "    except OSError: return {'refused': os.stat('/box').st_ctime_ns}\n"
        "    return {}\n";
    const std::string ctime =
        "import os\ndef predict(w, a, m):\n    return {'c': os.stat('/box').st_ctime_ns}\n";
    REQUIRE(jail.reset());
    const std::string expected = run(jail, numbers).outcome.answer;
    REQUIRE(jail.reset());
    const std::string changed = run(jail, quiet).outcome.answer;
    REQUIRE(changed.find("refused") != std::string::npos);
    const std::string when = changed.substr(changed.rfind(':'));
    REQUIRE(jail.reset());
    CHECK(run(jail, ctime).outcome.answer.find(when) == std::string::npos);
    REQUIRE(jail.reset());
    CHECK(run(jail, numbers).outcome.answer == expected);
}

// Tools may make files without a name, which only later numbers of files tell.
TEST_CASE("pool: where tools run, a folder is replaced after every run") {
    live::Stage& stage = live::Stage::get();
    const auto program =
        stage.build(Language::cpp,
                    "#include \"perfmodel.hpp\"\n"
                    "#include <fcntl.h>\n#include <sys/stat.h>\n#include <unistd.h>\n"
                    "Prediction predict(const Workload&, const Architecture&, const Mapping&) {\n"
                    "    struct stat status{};\n"
                    "    ::fstat(::open(\"/box\", O_TMPFILE | O_RDWR, 0600), &status);\n"
                    "    return {{\"inode\", static_cast<std::int64_t>(status.st_ino)}};\n"
                    "}\n");
    REQUIRE(program.program);
    auto jail = sandbox::Jail::create(stage.supervisor, sandbox::Profile::compile, stage.limits);
    REQUIRE(jail);
    std::string first;
    for (int i = 0; i < 3; ++i) {
        const auto output = run_case(*jail, stage.toolkit, *program.program,
                                     {std::string(kSelfTestCase), true}, stage.limits);
        REQUIRE_MESSAGE(output, output.error().what);
        CAPTURE(output->outcome.err);
        CAPTURE(output->outcome.blocked_call);
        REQUIRE(output->outcome.answer.find("inode") != std::string::npos);
        if (i == 0) first = output->outcome.answer;
        CHECK(output->outcome.answer == first);
        REQUIRE(jail->reset());
    }
}

TEST_CASE("pool: a jail made ahead of need has nothing of the one before") {
    std::string expected;
    for (int i = 0; i < 3; ++i) {
        sandbox::Jail jail = make_jail();
        const std::string seen = run(jail, kLook).outcome.answer;
        REQUIRE(!seen.empty());
        if (i == 0) expected = seen;
        CHECK(seen == expected);
        REQUIRE(jail.reset());
        CHECK(run(jail, kPlant).outcome.leftover_processes);
        let_it_park();  // while the jail in use is full of markers
    }
}

TEST_CASE("pool: jails made ahead take nothing of a limit and add nothing to an account") {
    const std::string forks =
        "import os, time\n"
        "def predict(w, a, m):\n"
        "    n = 1\n"
        "    try:\n"
        "        while True:\n"
        "            if os.fork() == 0: time.sleep(60)\n"
        "            n += 1\n"
        "    except OSError: time.sleep(0.05)\n"  // without a cgroup refusals are seen by samples
        "    return {'processes': n}\n";
    const std::string expected =
        R"({"answer":{"processes":)" + std::to_string(live::Stage::get().limits.processes) + "}}";
    for (int i = 0; i < 3; ++i) {
        sandbox::Jail jail = make_jail();
        let_it_park();
        const CaseOutput output = run(jail, forks);
        CAPTURE(i);
        CHECK(output.outcome.answer == expected);
        CHECK(output.outcome.limits_hit.processes);
        CHECK(output.outcome.ending == sandbox::Ending::exited);
    }
}

TEST_CASE("pool: an end for want of memory is not told of the next jail") {
    for (int i = 0; i < 2; ++i) {
        {
            sandbox::Jail jail = make_jail();
            let_it_park();
            const CaseOutput output = run(
                jail, "def predict(w, a, m):\n    x = [bytearray(1 << 22) for _ in range(999)]\n");
            CHECK(output.outcome.ending == sandbox::Ending::memory_limit);
        }
        sandbox::Jail next = make_jail();
        const CaseOutput output = run(next, "def predict(w, a, m):\n    return {'n': 1}\n");
        CHECK(output.outcome.ending == sandbox::Ending::exited);
        CHECK(output.outcome.answer == R"({"answer":{"n":1}})");
    }
}

TEST_CASE("pool: the limit of a run leaves room for jails that are made afterwards") {
    using sandbox::Profile;
    live::Stage& stage = live::Stage::get();
    const grader::Build built = stage.build(
        Language::cpp,
        "#include \"perfmodel.hpp\"\n"
        "Prediction predict(const Workload&, const Architecture&, const Mapping&) { return {}; }");
    REQUIRE(built.program);
    sandbox::Limits one = stage.limits;
    one.processes = 1;
    for (int round = 0; round < 3; ++round) {
        for (const Profile profile :
             {Profile::native, Profile::compile, Profile::lua, Profile::python}) {
            CAPTURE(round);
            let_it_park();
            auto jail = sandbox::Jail::create(stage.supervisor, profile, one);
            REQUIRE_MESSAGE(jail, jail.error().what);
            if (profile != Profile::native) continue;
            auto output = run_case(*jail, stage.toolkit, *built.program,
                                   {std::string(kSelfTestCase), true}, one);
            REQUIRE_MESSAGE(output, output.error().what);
            CHECK(output->outcome.ending == sandbox::Ending::exited);
        }
    }
}
