#!/usr/bin/env python3
# Runs one small program per forbidden or limited act through `perfjudge jail` and checks its report.
# cases.py says what each must come to; what is looked at from outside of a jail is in outside.py.
# Called by Meson (suite live), three ways: as root, as root on a host without control groups, as an ordinary user; and
# in the places of command.PLACES, where portable mode results.
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import checks  # noqa: E402
import command  # noqa: E402

import cases  # noqa: E402
import contained  # noqa: E402
import outside  # noqa: E402
import portable  # noqa: E402
from probes import Probes  # noqa: E402

FIELDS = ["mode", "ending", "exit_code", "signal", "blocked_call", "cpu_ms", "wall_ms", "peak_memory_bytes",
          "peak_memory_kind", "processes_peak", "output_bytes", "limits_hit", "limits_in_force"]
MIB = cases.MIB


def check_row(probes, row):
    name, words, options, wanted, output = portable.row_in(probes.place, row)
    if probes.sampled and name in cases.SAMPLED:
        instead, output, _ = cases.SAMPLED[name]
        wanted = {**wanted, "limits_hit": [], "exit_code": None, **instead}
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
    probes.check(name, not problems, "\n".join(problems + [json.dumps(report)]))
    return report or {}


def matches(output, text):
    return text == output or output != "" and any(text.strip() == one.strip() for one in output.split("|"))


def between(probes, name, report, field, low, high):
    probes.check(name, low <= report.get(field, -1) <= high, f"{field} from {low} to {high}\n{json.dumps(report)}")


def check_limiters(probes):
    """Who enforces what is said, and is what this way can have."""
    report, _, done = probes.run(["exit_code", 0])
    force = (report or {}).get("limits_in_force", {})
    probes.sampled = force.get("memory") == "sampled"
    print(f"# {probes.identity.name}: limits in force: {json.dumps(force)}", flush=True)
    # landlock_create_ruleset(NULL, 0, LANDLOCK_CREATE_RULESET_VERSION), where the program runs; below 0: none.
    ask = "import ctypes; print(max(0, ctypes.CDLL(None).syscall(444, None, 0, 1)))"
    abi = subprocess.run([*probes.identity.command()[:-1], "/usr/bin/python3", "-c", ask], stdout=subprocess.PIPE,
                         check=True).stdout
    probes.equal("P51 the report names the Landlock ABI of this kernel", (report or {}).get("landlock_abi"), int(abi))
    lent = {"cpu": {"cgroup", "sampled"}, "memory": {"cgroup", "sampled"}, "processes": {"cgroup", "rlimit"}}
    if probes.identity.name == "bare":
        lent = {"cpu": {"sampled"}, "memory": {"sampled"}, "processes": {"rlimit"}}
    probes.check("every limit has a limiter, which is named",
                 all(force.get(key) in words for key, words in lent.items())
                 and (force.get("wall"), force.get("output")) == ("keeper", "keeper")
                 and force.get("files") in (("rlimit", "sampled") if probes.portable else ("mount",)),
                 f"{force}\n{done.stderr.decode(errors='replace')}")


def check_table(probes):
    reports = {row[0]: check_row(probes, row) for row in cases.TABLE}
    of_children = "folder: " if probes.portable else ""
    if probes.portable:
        reports |= {row[0]: check_row(probes, row) for row in portable.IN_A_FOLDER}
    between(probes, "S04 P11 overshoot below 50 ms", reports["S04 busy loop"], "cpu_ms", 250, 350)
    for row in (of_children + "S06 orphans spin", of_children + "S07 deaf to SIGXCPU"):
        between(probes, f"{row}: overshoot below 50 ms for each process", reports[row], "cpu_ms", 250, 400)
    between(probes, "S08 sleeping costs nothing", reports["S08 sleep"], "cpu_ms", 0, 50)
    between(probes, "S05 processor time is the sum", reports[of_children + "S05 eight children below the limit"],
            "cpu_ms", 380, 520)
    between(probes, "S12 reservations do not count", reports["S12 P08 reservation"], "peak_memory_bytes", 0, 10 * MIB)
    between(probes, "S14 touched pages count", reports["S14 one page of each MiB"], "peak_memory_bytes", 2 * MIB, 10 * MIB)
    between(probes, "S10 peak is the limit", reports["S10 P01 one process beyond the limit"], "peak_memory_bytes",
            64 * MIB, 64 * MIB * 101 // 100)
    between(probes, "S10 peak is what was touched", reports["S10 one process below the limit"], "peak_memory_bytes",
            40 * MIB, 44 * MIB)
    if not probes.portable:  # tmpfs holds what the program wrote, its peak is read every 10 ms
        between(probes, "P07 writing to /box raises the peak", reports["P07 files in /box are memory"],
                "peak_memory_bytes", 16 * MIB, 32 * MIB)
    for row, limit in ((f"S13 {'one large file' if probes.portable else 'P38 disk'}", ("disk", "file_size")),
                       (f"S24 {'' if probes.portable else 'P38 '}files", ("inodes",)), ("S15 forks", ("processes",))):
        hit = reports[of_children + row].get("limits_hit", [])
        probes.check(f"{row}: the refusal is listed", any(one in hit for one in limit), hit)
    late = [reports[row].get("wall_ms", 0) - 300 for row in ("S08 sleep", "S08 blocked read", "S08 lock",
                                                              "S08 P15 stopped", "S09 deaf to all signals")]
    # Printed, not asserted: a time is a fact about the host.
    print(f"# {probes.identity.name}: P14 ended {min(late):.1f} to {max(late):.1f} ms after the wall limit", flush=True)
    probes.check("P14 the report says how late a wall limit was", all(ms >= 0 for ms in late), late)


# Who may send a signal to a pid: init to everyone in its own namespace, or to the group of a program that it has not
# reaped; helper and doctor to children that they have not reaped, and to their groups; the sweep of a dead helper's
# groups to those in them. Everything else goes through a pidfd or a group.
BARE_SIGNALS = {"sandbox/helper/init.cpp": r"call\(SYS_kill, -(1|g\.program), ",
                "sandbox/helper/portable.cpp": r"::kill\(ours \? static_cast<pid_t>\(pid\) : -group, SIGKILL\)",
                "sandbox/helper/cgroup.cpp": r"::kill\(pid, SIGKILL\)",
                "sandbox/doctor/probe_calls.cpp": r"::kill\(child, SIGKILL\)"}


def check_signallers(suite, root):
    found = []
    for folder in ("sandbox", "grader", "tools"):
        for path in sorted((root / folder).rglob("*.cpp")):
            name = str(path.relative_to(root))
            for line in path.read_text().splitlines():
                if re.search(r"\b(?:SYS_)?t?g?kill\b ?[(,]", line.split("//")[0]) and not (
                        name in BARE_SIGNALS and re.search(BARE_SIGNALS[name], line)):
                    found.append(f"{name}: {line.strip()}")
    suite.equal("P25 who sends signals to bare pids", found, [])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--who", default="", help="root, bare or user: that way only")
    parser.add_argument("--place", default="host", choices=command.PLACES, help="where the program runs")
    options = parser.parse_args()
    command.become_subreaper()
    suite = checks.Checks("probes")
    source_root, program = os.environ["PERFJUDGE_SOURCE_ROOT"], os.environ["PERFJUDGE"]
    check_signallers(suite, pathlib.Path(source_root))
    for identity in command.identities(source_root, program, options.place, bare=options.place == "host"):
        if options.who not in ("", identity.name):
            identity.remove()
            continue
        probes = Probes(identity, os.environ["PERFJUDGE_PROBES"], suite, options.place)
        _, _, first = probes.run(["exit_code", 0])
        if first.returncode == 3:
            checks.cannot_run("probes", first.stderr.decode(errors="replace").strip())
        mounts, cgroups = command.mounts(), command.dead_cgroups()
        parts = outside.PARTS if options.place == "host" else contained.PARTS
        if options.place == "older":  # there the outer filter has a process of its own
            parts = [part for part in parts if part is not outside.check_killed]
        for part in (check_limiters, check_table, *parts):
            part(probes)
        suite.equal(f"{identity.name}: P19 no process is left", command.wait_until_alone(200), {})
        suite.equal(f"{identity.name}: P20 no mount is left", command.mounts() - mounts, set())
        suite.equal(f"{identity.name}: P20 no cgroup folder is left", command.dead_cgroups() - cgroups, set())
        identity.remove()
    return suite.finish()


if __name__ == "__main__":
    sys.exit(main())
