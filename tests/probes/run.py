#!/usr/bin/env python3
# Runs one small program per forbidden or limited act through `perfjudge jail` and checks its report.
# The table says what each must come to; a check that needs more than the report is a function below it.
# Called by Meson (suite live), as root and as an ordinary user.
import argparse
import json
import os
import pathlib
import secrets
import signal
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import checks  # noqa: E402
import command  # noqa: E402
import portable  # noqa: E402

FIELDS = ["mode", "ending", "exit_code", "signal", "blocked_call", "cpu_ms", "wall_ms", "peak_memory_bytes",
          "peak_memory_kind", "processes_peak", "output_bytes", "limits_hit", "limits_in_force"]
MIB = 1 << 20

# name of the check, program, arguments, options of `perfjudge jail`, what the report must say, output
EXITS = [(f"S01 exit with {n}", ["exit_code", n], [], {"ending": "exited", "exit_code": n}, None)
         for n in (0, 1, 42, 126, 127, 137, 139, 255)]
SIGNALS = [(f"S02 {how}", ["raise_signal", how], [], {"ending": "signaled", "signal": number}, None)
           for how, number in (("abort", 6), ("11", 11), ("divide", 8), ("illegal", 4), ("null", 11), ("9", 9),
                               ("31", 31), ("15", 15), ("64", 64))]
TIMES = [
    ("S04 busy loop", ["spin", 0, 10000], ["--cpu-ms", 300], {"ending": "cpu_limit"}, None),
    ("S05 eight children below the limit", ["spin", 8, 50], ["--cpu-ms", 2000, "--wall-ms", 20000],
     {"ending": "exited", "exit_code": 0}, None),
    ("S05 eight children above the limit", ["spin", 8, 400], ["--cpu-ms", 1000, "--wall-ms", 20000],
     {"ending": "cpu_limit"}, None),
    ("S06 orphans spin", ["spin", 2, 10000, "orphans"], ["--cpu-ms", 300, "--wall-ms", 8000],
     {"ending": "cpu_limit"}, None),
    ("S08 sleep", ["wait", "sleep"], ["--wall-ms", 300], {"ending": "wall_limit"}, None),
    ("S08 blocked read", ["wait", "read"], ["--wall-ms", 300], {"ending": "wall_limit"}, None),
    ("S08 lock", ["wait", "futex"], ["--wall-ms", 300], {"ending": "wall_limit"}, None),
    ("S08 stopped", ["wait", "stop"], ["--wall-ms", 300], {"ending": "wall_limit"}, None),
    ("S09 deaf to all signals", ["wait", "deaf"], ["--wall-ms", 300], {"ending": "wall_limit"}, None),
]
QUIET = ("private memory allowed\nshared memory ENOMEM\nhuge pages ENOMEM\nignoring children EPERM\n"
         "ignoring the terminal allowed\nlock ENOLCK\nlarger pipe EPERM\nmerging pages EINVAL\ncore 1 1\npid 2\n")
SPACE = [
    ("S10 one process beyond the limit", ["touch_memory", 90], ["--memory-mib", 64], {"ending": "memory_limit"}, None),
    ("S10 one process below the limit", ["touch_memory", 40], ["--memory-mib", 64], {"ending": "exited"}, None),
    ("S11 four children together", ["touch_memory", 26, 4], ["--memory-mib", 64, "--wall-ms", 10000],
     {"ending": "memory_limit"}, None),
    ("S12 reservation", ["reserve_memory", 256], ["--memory-mib", 64], {"ending": "exited", "exit_code": 0},
     "1024 KiB\n"),
    ("S13 disk", ["fill_disk", "bytes"], ["--files-mib", 4, "--memory-mib", 64], {"ending": "exited"}, "ENOSPC|EFBIG"),
    ("S24 files", ["fill_disk", "files"], ["--inodes", 100], {"ending": "exited"}, "ENOSPC"),
    ("S25 sparse file", ["fill_disk", "sparse"], ["--files-mib", 4], {"ending": "exited"}, "EFBIG|ENOSPC"),
    ("S15 forks", ["fork_until_refused"], ["--processes", 10], {"ending": "exited"}, "9\n|10\n"),
    ("S17 threads", ["threads", 60], ["--processes", 80], {"ending": "exited"}, "60\n"),
    ("S18 quiet daemon", ["daemon", "quiet"], [], {"ending": "exited", "exit_code": 0}, "answer\n"),
    ("S19 daemon holds the streams", ["daemon", "loud"], [], {"ending": "exited", "exit_code": 0}, "answer\n"),
    ("S21 flood of output", ["flood", 1, 100, MIB], ["--output-bytes", 65536], {"ending": "output_limit"}, None),
    ("S22 flood of errors", ["flood", 2, 100, MIB], ["--output-bytes", 65536], {"ending": "output_limit"}, None),
    ("S23 small writes", ["flood", 1, 50000, 1], ["--cpu-ms", 5000, "--wall-ms", 30000],
     {"ending": "exited", "output_bytes": 50000}, None),
    ("S30 descriptors", ["descriptors"], [], {"ending": "exited"}, ""),
    ("P41 P50 quiet refusals", ["quiet_refusals"], [], {"ending": "exited", "exit_code": 0}, QUIET),
    ("S40 honest work", ["honest_work"], ["--memory-mib", 256], {"ending": "exited", "exit_code": 0},
     "recursion 0\nmapped 1\ntime 1\ninput 0\n"),
]
BLOCKED = {name: name for name in (
    "socket socketpair connect shmget msgget semget mq_open ptrace process_vm_readv process_vm_writev pidfd_open "
    "pidfd_getfd pidfd_send_signal kcmp unshare setns mount umount2 pivot_root chroot open_tree move_mount fsopen "
    "mount_setattr io_uring_setup bpf perf_event_open userfaultfd keyctl add_key request_key kexec_load init_module "
    "finit_module delete_module name_to_handle_at open_by_handle_at execve execveat seccomp landlock_restrict_self "
    "memfd_create mknod setuid capset personality reboot sethostname clock_settime swapon quotactl syslog acct "
    "fanotify_init inotify_init1 vmsplice").split()}
BLOCKED |= {f"socket-{kind}": "socket" for kind in ("unix", "netlink", "vsock")}
BLOCKED |= {f"clone-new{kind}": "clone" for kind in ("user", "ns", "pid", "net", "ipc", "uts", "cgroup")}
BLOCKED |= {"prctl-dumpable": "prctl"}
CALLS = [(f"S32-S37 {name}", ["forbidden_call", name], [], {"ending": "policy_violation", "blocked_call": call}, "")
         for name, call in BLOCKED.items()]
CALLS += [(f"S38 {name}", ["forbidden_call", name], [], {"ending": "policy_violation"}, "") for name in ("int80", "x32")]
CALLS += [(f"S38 {name}", ["forbidden_call", name], [], {"ending": "exited", "exit_code": 0}, "ENOSYS\n")
          for name in ("number-minus-one", "number-4095", "clone3")]
CALLS += [(f"S39 {name}", ["forbidden_call", name], [], {"ending": "exited", "exit_code": 0}, "ENOTTY\n|EPERM\n")
          for name in ("ioctl-sti", "ioctl-sti-high", "ioctl-linux")]
TABLE = EXITS + SIGNALS + TIMES + SPACE + CALLS


class Probes:
    """Runs programs of the build's probe folder in jails, as one identity."""

    def __init__(self, identity, folder, place):
        self.identity, self.place = identity, place
        self.portable = place in ("container", "older")
        self.folder = identity.inside(pathlib.Path(folder))

    def arguments(self, options, words):
        out = self.identity.path("stdout.txt")
        return ["jail", *options, "--report", self.identity.path("report.json"), "--stdout", out, "--",
                self.folder / str(words[0]), *words[1:]]

    def run(self, words, options=(), **environment):
        """(report, standard output, finished command)"""
        report, out = self.identity.path("report.json"), self.identity.path("stdout.txt")
        for path in (report, out):
            path.unlink(missing_ok=True)
        done = self.identity.run(*self.arguments(options, words), timeout=60,
                                 environment=self.identity.environment(**environment))
        text = out.read_bytes().decode(errors="replace") if out.exists() else ""
        return json.loads(report.read_text()) if report.exists() else None, text, done


def check_row(suite, probes, row):
    name, words, options, wanted, output = portable.row_in(probes.place, row)
    report, text, done = probes.run(words, options)
    problems = []
    if done.returncode != 0 or report is None:
        problems.append(f"exit code {done.returncode}: {done.stderr.decode(errors='replace')[-800:]}")
    else:
        problems += [f"{key} is {report.get(key)!r}, not {value!r}" for key, value in wanted.items()
                     if report.get(key) != value]
        problems += [f"no field {field}" for field in FIELDS if field not in report]
    if output is not None and not matches(output, text):
        problems.append(f"output {text[:300]!r}, not {output!r}")
    suite.check(f"{probes.identity.name}: {name}", not problems, "\n".join(problems + [json.dumps(report)]))
    return report


def matches(output, text):
    return text == output or output != "" and any(text.strip() == one.strip() for one in output.split("|"))


def check_table(suite, probes):
    reports = {row[0]: check_row(suite, probes, row) or {} for row in TABLE}
    if probes.portable:
        reports |= {row[0]: check_row(suite, probes, row) or {} for row in portable.IN_A_FOLDER}
    of_children = "folder: " if probes.portable else ""
    who = probes.identity.name
    busy = reports["S04 busy loop"]
    suite.check(f"{who}: S04 overshoot below 50 ms", 250 <= busy.get("cpu_ms", 0) <= 350, busy)
    asleep = reports["S08 sleep"]
    suite.check(f"{who}: S08 sleeping costs nothing", asleep.get("cpu_ms", 99) < 50, asleep)
    children = reports[of_children + "S05 eight children below the limit"]
    suite.check(f"{who}: S05 processor time is the sum", 380 <= children.get("cpu_ms", 0) <= 520, children)
    reserved = reports["S12 reservation"]
    suite.check(f"{who}: S12 reservations do not count", reserved.get("peak_memory_bytes", MIB << 10) < 10 * MIB,
                reserved)
    peak = reports["S10 one process beyond the limit"].get("peak_memory_bytes", 0)
    suite.check(f"{who}: S10 peak is the limit", 64 * MIB <= peak <= 64 * MIB * 1.01, peak)
    below = reports["S10 one process below the limit"].get("peak_memory_bytes", 0)
    suite.check(f"{who}: S10 peak is what was touched", 40 * MIB <= below <= 44 * MIB, below)
    for row, limit in ((f"S13 {'one large file' if probes.portable else 'disk'}", ("disk", "file_size")),
                       ("S24 files", ("inodes",)), ("S15 forks", ("processes",))):
        hit = reports[of_children + row].get("limits_hit", [])
        suite.check(f"{who}: {row}: the refusal is listed", any(one in hit for one in limit), hit)


def check_files(suite, probes):
    identity = probes.identity
    secret = secrets.token_hex(16)
    marker = identity.write("marker.txt", f"{secret}\n")
    _, text, _ = probes.run(["read_marker", marker])
    suite.equal(f"{identity.name}: S26 nothing of the host can be read", text, "")
    _, text, _ = probes.run(["write_everywhere", marker])
    suite.equal(f"{identity.name}: S27 nothing outside /box can be changed", text, "")
    suite.equal(f"{identity.name}: S27 the marker is as it was", marker.read_text(), f"{secret}\n")
    for _ in range(2):
        _, text, _ = probes.run(["plant_marker"], portable.SHELL if probes.portable else [])
        suite.check(f"{identity.name}: S29 no marker of an earlier run", "FOUND" not in text, text)


def check_environment(suite, probes):
    who = probes.identity.name
    secret = secrets.token_hex(16)
    _, text, _ = probes.run(["environment"], PERFJUDGE_PROBE_SECRET=secret)
    lines = text.splitlines()
    suite.check(f"{who}: S31 environment", not any(secret in line or "HOME" in line for line in lines), text)
    suite.check(f"{who}: S31 never uid 0", "UID 0 0" not in lines and any(line.startswith("UID ") for line in lines),
                text)
    # Portable mode: the host's name is the host's.
    suite.check(f"{who}: S31 host name is the jail's own", (f"HOST {os.uname().nodename}" in lines) == probes.portable, text)
    suite.check(f"{who}: S31 the program is not pid 1", "PID1 0" in lines, text)
    roots = {line.split()[1]: int(line.split()[2]) for line in lines if line.startswith("ROOT ")}
    shown = {name for name, entries in roots.items() if entries > 2}  # more than . and ..
    # Portable mode: the root is the host's, and may not be listed.
    only = roots == {} if probes.portable else "box" in roots and shown <= {"dev", "program"}
    suite.check(f"{who}: S31 the root folder shows the program only", only, roots)
    _, text, _ = probes.run(["signal_others"], ["--cpu-ms", 5000])
    seen = [line for line in text.splitlines() if line.startswith("SEEN")]
    may_see = set() if probes.portable else {"SEEN 1"}
    suite.check(f"{who}: S34 only init can be seen", set(seen) <= may_see and "alive" in text, text)


def check_two_jails(suite, probes):
    """S16: two jails at their limits do not take from each other."""
    identity = probes.identity
    running = []
    for n in range(2):
        out, report = identity.path(f"two-{n}.txt"), identity.path(f"two-{n}.json")
        words = ["jail", *(portable.SHELL if probes.portable else []), "--processes", 12, "--report", report, "--stdout", out, "--",
                 probes.folder / "fork_until_refused"]
        running.append((out, identity.start(*words)))
    counts = []
    for out, process in running:
        process.wait(timeout=60)
        counts.append(out.read_text().strip() if out.exists() else "")
    # Portable mode as an ordinary user: both count as that user, so that one may be refused earlier.
    fine = {"11", "12"} if identity.name == "root" or not probes.portable else {str(n) for n in range(13)}
    suite.check(f"{identity.name}: S16 two jails reach their own limits", set(counts) <= fine, counts)


def check_killed(suite, probes):
    """S20: whoever of ours is killed, nothing is left 200 ms later."""
    victims = [("perfjudge", []), ("helper", [])]
    if probes.portable:
        victims = [(victim, portable.SHELL) for victim in ("perfjudge", "helper", "init")] + [("helper", [])]
    for victim, profile in victims:
        spin = ["spin", 1 if profile or not probes.portable else 0, 9000]
        process = probes.identity.start(*probes.arguments([*profile, "--wall-ms", 20000, "--cpu-ms", 10000], spin))
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline:
            names = {pid: row[1] for pid, row in command.descendants().items() if row[2] != "Z"}
            if "spin" in names.values():
                break
            time.sleep(0.01)
        pids = [pid for pid, name in names.items() if name == "perfjudge"]
        if victim == "helper":
            pids = command.helpers()
        if victim == "init":
            pids = [pid for pid, row in command.descendants().items() if row[0] in command.helpers()]
        started = "spin" in names.values() and suite.check(f"{probes.identity.name}: S20 {victim} can be found",
                                                           len(pids) > 0, names)
        if started:
            os.kill(pids[0], signal.SIGKILL)
            left = command.wait_until_alone(200, keep=(process.pid,) if victim != "perfjudge" else ())
            suite.equal(f"{probes.identity.name}: S20 nothing is left 200 ms after {victim} was killed", left, {})
        else:
            suite.check(f"{probes.identity.name}: S20 the run starts", False, names)
        try:
            process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            process.kill()
    # The next start removes what the dead left: empty cgroup folders, and private folders.
    probes.run(["exit_code", 0], portable.SHELL if probes.portable else [])
    left = [path.name for path in probes.identity.folder.iterdir() if path.name.startswith("perfjudge-")]
    suite.equal(f"{probes.identity.name}: S20 no private folder is left", left, [])


def check_chain(suite, probes):
    """S18: nobody escapes by forking faster than a list of processes can be read."""
    who, options = probes.identity.name, portable.SHELL if probes.portable else []
    for words, ending in ((["fork_chain"], "exited"), (["fork_chain", "stay"], "wall_limit")):
        for _ in range(5):
            report, _, done = probes.run(words, [*options, "--wall-ms", 200, "--cpu-ms", 5000])
            left = command.wait_until_alone(200)
            found = (report or {}).get("ending")
            suite.check(f"{who}: S18 {' '.join(words)}: {ending}, and nobody is left", found == ending and left == {},
                        f"{left}\n{report}\n{done.stderr.decode(errors='replace')}")


def check_neighbours(suite, probes):
    """Portable mode: processes and files of the same user are in sight, and out of reach."""
    if not probes.portable:
        return
    identity = probes.identity
    neighbour = subprocess.Popen([*identity.prefix, "sleep", "60"])
    own = identity.path("neighbours")
    own.write_bytes(pathlib.Path(os.environ["PERFJUDGE_PROBES"], "neighbours").read_bytes())
    own.chmod(0o755)
    marker = identity.write("neighbour.txt", "as it was\n")
    if identity.prefix:
        os.chown(own, command.USER_ID, command.USER_ID)
        os.chown(marker, command.USER_ID, command.USER_ID)
    before = [(path.stat().st_mode, path.stat().st_mtime_ns, path.read_bytes()) for path in (own, marker)]
    for profile in ("native", "shell"):
        _, text, done = probes.run([own, neighbour.pid, marker, own], ["--profile", profile])
        suite.equal(f"{identity.name}: neighbours are out of reach of {profile}", text, "done\n")
        suite.check(f"{identity.name}: neighbours: exit code 0", done.returncode == 0, done.stderr.decode(errors="replace"))
    after = [(path.stat().st_mode, path.stat().st_mtime_ns, path.read_bytes()) for path in (own, marker)]
    suite.check(f"{identity.name}: neighbours: files are as they were", before == after)
    neighbour.kill()
    neighbour.wait()


def check_refused(suite, probes):
    """Nothing below portable: where Landlock is missing the refusal says why, and what to do."""
    if not probes.portable:
        return
    identity, outer = probes.identity, probes.identity.outer
    identity.outer = [outer[0], "container", "no-landlock", "--"]
    for mode in ("auto", "portable"):
        report, _, done = probes.run(["exit_code", 0], ["--mode", mode])
        said = done.stderr.decode(errors="replace")
        suite.check(f"{identity.name}: without Landlock {mode} is refused",
                    report is None and done.returncode == 3 and "Landlock" in said and "lsm=" in said, said)
    identity.outer = outer
    if identity.name == "root":
        identity.prefix = ["setpriv", "--bounding-set=-all"]
        report, _, done = probes.run(["exit_code", 0])
        identity.prefix = []
        suite.check("root: who may not change its id runs no program as root",
                    report is None and done.returncode == 3 and b"SETUID" in done.stderr, done.stderr)
    report, _, done = probes.run(["exit_code", 0], ["--mode", "full"])
    suite.check(f"{identity.name}: full is refused, never replaced", report is None and done.returncode == 3, report)


def check_held_streams(suite, probes):
    """S19: the end of a run does not wait for whoever holds its streams."""
    start = time.monotonic()
    probes.run(["daemon", "loud"])
    took = time.monotonic() - start
    suite.check(f"{probes.identity.name}: S19 returns although a daemon holds the streams", took < 3, f"{took:.2f} s")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--who", default="", help="root or user: that identity only")
    parser.add_argument("--place", default="host", choices=command.PLACES, help="where the program runs")
    options = parser.parse_args()
    command.become_subreaper()
    suite = checks.Checks("probes")
    for identity in command.identities(os.environ["PERFJUDGE_SOURCE_ROOT"], os.environ["PERFJUDGE"], options.place):
        if options.who not in ("", identity.name):
            continue
        probes = Probes(identity, os.environ["PERFJUDGE_PROBES"], options.place)
        _, _, first = probes.run(["exit_code", 0])
        if first.returncode == 3:
            checks.cannot_run("probes", first.stderr.decode(errors="replace").strip())
        mounts, cgroups = command.mounts(), command.dead_cgroups()
        parts = [check_table, check_files, check_environment, check_two_jails, check_held_streams, check_chain]
        parts += [check_neighbours, check_refused]
        if options.place != "older":  # there the outer filter has a process of its own
            parts.append(check_killed)
        for part in parts:
            part(suite, probes)
        suite.equal(f"{identity.name}: no process is left", command.wait_until_alone(200), {})
        suite.equal(f"{identity.name}: no mount is left", command.mounts() - mounts, set())
        suite.equal(f"{identity.name}: no cgroup folder is left", command.dead_cgroups() - cgroups, set())
        identity.remove()
    return suite.finish()


if __name__ == "__main__":
    sys.exit(main())
