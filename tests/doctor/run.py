#!/usr/bin/env python3
# `perfjudge doctor` and `perfjudge selftest` on this host, on hosts that lack something, and after an installation.
# What doctor says is compared with what `perfjudge jail` gives on the same host, not with a table of hosts.
# Called by Meson (suite e2e), as root and as an ordinary user.
import argparse
import json
import os
import pathlib
import pty
import signal
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import broken_host  # noqa: E402
import checks  # noqa: E402
import command  # noqa: E402
import installed  # noqa: E402

FIELDS = {"version", "can_grade", "mode", "mode_error", "limits_in_force", "languages", "findings"}
FINDING_FIELDS = {"area", "name", "state", "found", "meaning", "remedy"}
NAMES = {"architecture", "kernel", "WSL", "/proc", "core handler", "user namespace", "jail ids", "mount namespace",
         "pid namespace", "network namespace", "ipc namespace", "uts namespace", "cgroup namespace", "pid counter",
         "/ is a mount point", "tmpfs", "new mount calls", "seccomp filter", "seccomp notification", "Landlock",
         "programs in memory", "layout", "memory controller", "pids controller", "cpu accounting", "g++",
         "binutils", "python3", "cpp", "python", "lua", "cache folder", "TMPDIR", "descriptors", "processes"}


class Doctor:
    """One answer of `perfjudge doctor --json`, and of the jail on the same host."""

    def __init__(self, identity, *options, between=()):
        self.done = identity.run("doctor", "--json", *options, between=between, timeout=300)
        self.said = json.loads(self.done.stdout) if self.done.stdout.startswith(b"{") else {}
        self.rows = {row["name"]: row for row in self.said.get("findings", []) if row["area"] != "limits of a run"}
        jail = identity.run("jail", "--", "/bin/true", between=between)
        self.jail = json.loads(jail.stdout) if jail.returncode == 0 else None

    def state(self, name):
        return self.rows.get(name, {}).get("state")

    def remedy(self, name):
        return self.rows.get(name, {}).get("remedy", "")

    def works(self):
        return {row["language"] for row in self.said.get("languages", []) if row["works"]}

    def text(self):
        return self.done.stdout.decode(errors="replace")[-3000:] + self.done.stderr.decode(errors="replace")[-1000:]


def check_agrees(suite, name, doctor):
    """The report is one object, complete, and says what the real jail gives."""
    suite.check(f"{name}: one object with every field", FIELDS <= set(doctor.said), doctor.text())
    suite.equal(f"{name}: every mechanism has a line", sorted(NAMES - set(doctor.rows)), [])
    rows = doctor.said.get("findings", [])
    suite.check(f"{name}: every line has every field and a known state",
                rows and all(FINDING_FIELDS == set(row) and row["state"] in ("ok", "limited", "missing") for row in rows))
    suite.equal(f"{name}: what is not ok has a remedy in one line",
                [row["name"] for row in rows if row["state"] != "ok" and
                 (row["remedy"] == "" or "\n" in row["remedy"] or row["meaning"] == "")], [])
    mode = doctor.jail["mode"] if doctor.jail else None
    suite.equal(f"{name}: the mode is what the jail gives", doctor.said.get("mode"), mode)
    limits = doctor.jail["limits_in_force"] if doctor.jail else None
    suite.equal(f"{name}: the limiters are what the jail reports", doctor.said.get("limits_in_force"), limits)
    able = mode is not None and bool(doctor.works())
    suite.equal(f"{name}: it can grade where a mode and a language are", doctor.said.get("can_grade"), able)
    suite.equal(f"{name}: exit code", doctor.done.returncode, 0 if able else 3)
    suite.equal(f"{name}: nothing is left", command.wait_until_alone(2000), {})


def check_this_host(suite, identity):
    """Returns whether control groups hold memory here."""
    who = identity.name
    doctor = Doctor(identity)
    if doctor.done.returncode == 3:
        checks.cannot_run("doctor", doctor.text())
    check_agrees(suite, f"{who}: this host", doctor)
    suite.equal(f"{who}: every language works", doctor.works(), {"cpp", "python", "lua"})
    suite.check(f"{who}: versions are the tools' own",
                "g++" in doctor.rows["cpp"]["found"] and "Python 3" in doctor.rows["python3"]["found"] and
                "Binutils" in doctor.rows["binutils"]["found"], doctor.rows)
    held = doctor.said["limits_in_force"]["memory"] == "cgroup"
    suite.equal(f"{who}: the memory controller's line fits the limiter", doctor.state("memory controller") == "ok", held)
    leftovers = [str(path) for path in pathlib.Path("/sys/fs/cgroup").glob("**/perfjudge-doctor")]
    suite.equal(f"{who}: no probe's group is left", leftovers, [])
    suite.equal(f"{who}: the cache holds no file of a probe", list(identity.folder.glob(".cache/perfjudge/room-*")), [])
    return held


def on_terminal(identity, environment):
    """What doctor writes when its standard output is a terminal."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(identity.command("doctor"), cwd=identity.folder, env=environment, stdin=subprocess.DEVNULL,
                               stdout=theirs, stderr=subprocess.DEVNULL)
    os.close(theirs)
    text = b""
    while True:
        try:
            chunk = os.read(ours, 65536)
        except OSError:  # how a terminal says that its other end is closed
            break
        if not chunk:
            break
        text += chunk
    os.close(ours)
    process.wait()
    return text


def check_table(suite, identity):
    who = identity.name
    done = identity.run("doctor")
    suite.check(f"{who}: the table has every line and the mode",
                all(name.encode() in done.stdout for name in NAMES) and b"\nmode: full\n" in done.stdout, done.stdout)
    suite.check(f"{who}: no colour in a file", b"\x1b" not in done.stdout + done.stderr)
    suite.check(f"{who}: colour on a terminal", b"\x1b[32mok" in on_terminal(identity, identity.environment()))
    suite.check(f"{who}: no colour with NO_COLOR",
                b"\x1b" not in on_terminal(identity, identity.environment(NO_COLOR="1")))
    for words in (["doctor", "--no-such-option"], ["selftest", "--jobs", "0"]):
        suite.equal(f"{who}: {' '.join(words)} is bad usage", identity.run(*words).returncode, 2)


def check_filtered_hosts(suite, identity):
    """An outer filter without namespaces or mounts, as containers have."""
    who = identity.name
    none = Doctor(identity, between=broken_host.prefix(broken_host.HOSTS["namespaces"]))
    check_agrees(suite, f"{who}: without namespaces", none)
    suite.equal(f"{who}: without namespaces: the lines", {name: none.state(name) for name in (
        "mount namespace", "pid namespace", "network namespace", "tmpfs", "seccomp filter")}, {
            "mount namespace": "missing", "pid namespace": "missing", "network namespace": "missing", "tmpfs": "missing",
            "seccomp filter": "ok"})
    suite.check(f"{who}: without namespaces: the filter is the reason", "seccomp" in none.remedy("user namespace"),
                none.rows)
    none = Doctor(identity, between=broken_host.prefix(broken_host.HOSTS["mounts"]))
    check_agrees(suite, f"{who}: without mounts", none)
    suite.equal(f"{who}: without mounts: the lines", {name: none.state(name) for name in (
        "mount namespace", "pid namespace", "tmpfs", "new mount calls")}, {
            "mount namespace": "ok", "pid namespace": "ok", "tmpfs": "missing", "new mount calls": "missing"})


def check_covered_hosts(suite, identity):
    """Hosts that root can make in a mount namespace: no groups, no /proc, a chroot, no compiler, no user namespaces."""
    bare = Doctor(identity, between=broken_host.no_groups())
    check_agrees(suite, "root: without groups", bare)
    suite.equal("root: without groups: memory and CPU are sampled", [bare.said["limits_in_force"][name] for name in (
        "memory", "cpu")], ["sampled", "sampled"])
    suite.equal("root: without groups: the lines", [bare.state(name) for name in ("layout", "memory controller")],
                ["limited", "limited"])
    blind = Doctor(identity, between=broken_host.no_proc())
    suite.equal("root: without /proc: exit code", blind.done.returncode, 3)
    suite.equal("root: without /proc: the line", blind.state("/proc"), "missing")
    caged = Doctor(identity, between=broken_host.chroot(identity.path("cage"), identity.source_root))
    check_agrees(suite, "root: in a chroot", caged)
    suite.equal("root: in a chroot: the line", caged.state("/ is a mount point"), "missing")
    suite.check("root: in a chroot: the remedy", "mount --bind" in caged.remedy("/ is a mount point"), caged.rows)
    plain = Doctor(identity, between=broken_host.no_compiler(identity.path("empty")))
    check_agrees(suite, "root: without a compiler", plain)
    suite.equal("root: without a compiler: the languages", plain.works(), {"python", "lua"})
    suite.equal("root: without a compiler: the line", plain.state("g++"), "missing")
    single = Doctor(identity, between=broken_host.no_user_namespaces())
    suite.equal("root: without user namespaces: the line", single.state("user namespace"), "limited")
    suite.equal("root: in a user namespace: there are no ids for jails", single.state("jail ids"), "missing")
    suite.equal("root: in a user namespace: the mode is what the jail gives", single.said.get("mode"),
                single.jail["mode"] if single.jail else None)
    suite.check("root: without user namespaces: the remedy",
                "user.max_user_namespaces" in single.remedy("user namespace"), single.rows)


def check_caches(suite, identity):
    who = identity.name
    taken = identity.write("a-file", "x")
    bad = Doctor(identity, "--cache", taken)
    suite.equal(f"{who}: a cache that is a file: exit code", bad.done.returncode, 3)
    suite.equal(f"{who}: a cache that is a file: the line", bad.state("cache folder"), "missing")
    suite.check(f"{who}: a cache that is a file: the remedy", "--cache" in bad.remedy("cache folder"), bad.rows)
    if who == "root":
        full = Doctor(identity, "--cache", identity.path("full/cache"), between=broken_host.full_disk(identity.path("full")))
        check_agrees(suite, "root: a full disk", full)
        suite.equal("root: a full disk: the line", full.state("cache folder"), "missing")
        suite.equal("root: a full disk: the languages", full.works(), {"python", "lua"})


def selftest(identity, *options, **how):
    done = identity.run("selftest", "--json", "--jobs", 2, *options, **how)
    return done, json.loads(done.stdout) if done.stdout.startswith(b"{") else {}


def check_selftest(suite, identity):
    who = identity.name
    done, said = selftest(identity, "--only", "RTE/L")
    wanted = sorted(f"RTE/{path.name}" for path in (HERE.parent / "hostile" / "RTE").glob("L*"))
    attacks = said.get("attacks", [])
    suite.equal(f"{who}: selftest: exit code", done.returncode, 0)
    suite.equal(f"{who}: selftest: every attack of the name is run", [row["attack"] for row in attacks], wanted)
    suite.check(f"{who}: selftest: each as expected, and told what it tries",
                attacks and all(row["got"] == row["expected"] == "RTE" and row["tries"] and not row["problems"]
                                for row in attacks), attacks)
    suite.equal(f"{who}: selftest: nothing is left, says the program",
                [row for row in said.get("after", [None]) if row is None or row["problem"]], [])
    suite.equal(f"{who}: selftest: nothing is left", command.wait_until_alone(200), {})
    suite.equal(f"{who}: selftest: its folder is gone", list(identity.folder.glob("perfjudge-selftest-*")), [])
    table = identity.run("selftest", "--only", "SV/A27-socket.py").stdout.decode()
    suite.check(f"{who}: selftest: the table", "ok    SV/A27-socket.py" in table and "A27: connects" in table and
                table.endswith("1 attacks and 5 checks, 6 as expected, 0 different\n"), table)


def corpus(identity, name, verdict, head):
    """A corpus of one attack that answers nothing."""
    folder = identity.path(name)
    (folder / verdict).mkdir(parents=True)
    (folder / verdict / "empty.py").write_text(head + "def predict(workload, architecture, mapping):\n    return {}\n")
    (folder / "limits.txt").write_text((HERE.parent / "hostile" / "limits.txt").read_text())
    return folder


def check_selftest_differs(suite, identity):
    """It can fail: a verdict, a reason, a flag that is not what the head says; and it refuses what it cannot read."""
    who = identity.name
    for name, verdict, expect, problem in (
            ("right", "PE", "reason=missing_key", None), ("verdict", "AC", "", "verdict PE, not AC"),
            ("reason", "PE", "reason=no_answer", "reason missing_key, not no_answer"),
            ("flag", "PE", "flags=tamper", "not tamper"), ("run-flag", "PE", "run_flags=leftover_processes", "of the run"),
            ("run-reason", "PE", "run_reason=cpu", "not cpu")):
        folder = corpus(identity, f"corpus-{name}", verdict, f"# Answers nothing.\n# expect: {expect}\n")
        done, said = selftest(identity, "--corpus", folder)
        problems = [text for row in said.get("attacks", []) for text in row["problems"]]
        suite.equal(f"{who}: selftest: {name}: exit code", done.returncode, 0 if problem is None else 1)
        suite.check(f"{who}: selftest: {name}: the difference is named",
                    problems == [] if problem is None else len(problems) == 1 and problem in problems[0], problems)
    for name, folder in (("no corpus", identity.path("nowhere")),
                         ("unknown word", corpus(identity, "corpus-word", "PE", "# A.\n# expect: reasons=x\n")),
                         ("no head", corpus(identity, "corpus-head", "PE", "")),
                         ("unknown task", corpus(identity, "corpus-task", "PE", "# A.\n# expect: task=none\n"))):
        done, _ = selftest(identity, "--corpus", folder)
        suite.check(f"{who}: selftest: {name}: unusable input, in few words",
                    done.returncode == 2 and 0 < len(done.stderr.strip().splitlines()) <= 2, done)
    broken = broken_host.prefix(broken_host.HOSTS["namespaces"])
    able = identity.run("jail", "--", "/bin/true", between=broken).returncode == 0
    done, _ = selftest(identity, "--only", "PE/A15-nothing", between=broken)
    suite.check(f"{who}: selftest: a host without namespaces cannot judge, or can in another mode",
                done.returncode == 3 if not able else done.returncode in (0, 1), done)


def check_stopped(suite, identity):
    """SIGTERM in the middle: the usual exit code, and nothing left."""
    who = identity.name
    process = identity.start("selftest", "--only", "TLE/", "--jobs", "1")
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and not list(identity.folder.glob("perfjudge-selftest-*/out/results.jsonl")):
        time.sleep(0.02)
    own = [pid for pid, row in command.descendants().items() if row[1] == "perfjudge" and
           b"selftest" in pathlib.Path("/proc", str(pid), "cmdline").read_bytes().split(b"\0")]
    for pid in own[:1]:
        os.kill(pid, signal.SIGTERM)
    suite.equal(f"{who}: selftest: exit code after SIGTERM", process.wait(timeout=60), 143)
    suite.equal(f"{who}: selftest: nothing runs after SIGTERM", command.wait_until_alone(2000), {})
    suite.equal(f"{who}: selftest: no folder after SIGTERM", list(identity.folder.glob("perfjudge-selftest-*")), [])


def check_left_group(suite, identity):
    """A group that cannot be removed is seen: we put a folder into one while its helper lives."""
    process = subprocess.Popen(identity.command("selftest", "--json", "--jobs", "1", "--only", "TLE/A25-spins.py"),
                               cwd=identity.folder, env=identity.environment(), stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    deadline, kept = time.monotonic() + 60, None
    while kept is None and time.monotonic() < deadline and process.poll() is None:
        time.sleep(0.01)
        for pid in command.helpers():
            for group in pathlib.Path("/sys/fs/cgroup").glob(f"**/perfjudge-*-*-{pid}-*"):
                kept = kept or group / "kept"
        if kept is not None:
            kept.mkdir()
    said = json.loads(process.communicate(timeout=120)[0])
    problems = [row["problem"] for row in said["after"] if row["check"] == "no control group is left"]
    suite.check("root: selftest: a group that is left is a difference",
                kept is not None and process.returncode == 1 and problems == [str(kept.parent)], (kept, said["after"]))
    if kept is not None:
        kept.rmdir()
        kept.parent.rmdir()


def check_installed(suite, identity, prefix):
    """The corpus, the tasks and the helper are found from an installation, where no source tree is near."""
    who = identity.name
    # Root can hide the tree, so that nothing of it can be found by chance.
    hidden = broken_host.covered(identity.real_root) if who == "root" else ()
    identity.show, identity.program = [], prefix / "bin" / "perfjudge"
    doctor = Doctor(identity, between=hidden)
    check_agrees(suite, f"{who}: installed", doctor)
    suite.equal(f"{who}: installed: every language works", doctor.works(), {"cpp", "python", "lua"})
    for only, number in (("SV/A27-socket.py", 1), ("PE/A03", len(list((HERE.parent / "hostile/PE").glob("A03*"))))):
        done, said = selftest(identity, "--only", only, between=hidden)
        suite.equal(f"{who}: installed: selftest of {only}", (done.returncode, len(said.get("attacks", []))), (0, number))
    files = {path.relative_to(prefix / "share/perfjudge/hostile") for path in
             (prefix / "share/perfjudge/hostile").rglob("*") if path.is_file()}
    wanted = {path.relative_to(HERE.parent / "hostile") for path in (HERE.parent / "hostile").rglob("*")
              if path.is_file() and not {"bad_tasks", "__pycache__"} & set(path.parts) and
              path.name not in ("run.py", "meson.build")}
    suite.equal(f"{who}: installed: the whole corpus and nothing else", files ^ wanted, set())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--who", default="", help="root or user: that identity only")
    options = parser.parse_args()
    command.become_subreaper()
    suite = checks.Checks("doctor")
    program = os.environ["PERFJUDGE"]
    with installed.installation(pathlib.Path(program).parent.parent) as prefix:
        for identity in command.identities(os.environ["PERFJUDGE_SOURCE_ROOT"], program):
            if options.who not in ("", identity.name):
                continue
            held = check_this_host(suite, identity)
            check_table(suite, identity)
            check_filtered_hosts(suite, identity)
            if identity.name == "root":
                check_covered_hosts(suite, identity)
            check_caches(suite, identity)
            check_selftest(suite, identity)
            check_selftest_differs(suite, identity)
            check_stopped(suite, identity)
            if identity.name == "root" and held:
                check_left_group(suite, identity)
            check_installed(suite, identity, prefix)
            identity.remove()
    return suite.finish()


if __name__ == "__main__":
    sys.exit(main())
