#!/usr/bin/env python3
# Random system calls in jails: all numbers, random and boundary arguments, all ABIs. Every run must end in one of the
# ways that there are, name a call where one was blocked, and leave the host as it was. Makes no call itself.
# Called by Meson (suite stress) in a short form, and by tools/stress in a long one.
import argparse
import json
import os
import pathlib
import re
import secrets
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import checks  # noqa: E402
import command  # noqa: E402

import watch  # noqa: E402

ENDINGS = {"exited", "signaled", "cpu_limit", "wall_limit", "memory_limit", "output_limit", "policy_violation"}
PROFILES = ("native", "compile")
ALL = (1 << 64) - 1
TEST = re.compile(r"arg(\d)(?: & (0x[0-9a-f]+)\))? (==|!=) (0x[0-9a-f]+|\d+)")


def numbers():
    text = pathlib.Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h").read_text()
    newer = {"fchmodat2": 452}  # than the kernel headers of Debian 12
    return newer | {name: int(number) for name, number in re.findall(r"#define __NR_(\w+) (\d+)", text)}


def rows_of(profile):
    """What the policy lets through or refuses, in the form that the fuzzer reads."""
    known, lines = numbers(), []
    for line in (HERE.parent / "golden" / f"policy-{profile}.txt").read_text().splitlines()[1:]:
        name, rule = line.split("  #")[0].split(": ", 1)
        tests = TEST.findall(rule)
        assert name in known and ("if" in rule.split()) == bool(tests), line
        words = [str(known[name]), str(len(tests))]
        for argument, mask, compare, value in tests:
            words += [argument, str(int(mask, 0) if mask else ALL), str(int(value, 0)), str(int(compare == "=="))]
        lines.append(" ".join(words))
    return "\n".join(lines) + "\n"


class Fuzzer:
    def __init__(self, identity, folder):
        self.identity = identity
        self.program = identity.inside(pathlib.Path(folder)) / "call_fuzzer"
        self.rows = {profile: identity.write(f"rows-{profile}.txt", rows_of(profile)) for profile in PROFILES}
        self.calls, self.runs, self.endings, self.blocked, self.wrong = 0, 0, {}, set(), []

    def run(self, profile, kind, seed, calls):
        report, out = self.identity.path("run.json"), self.identity.path("run.txt")
        for path in (report, out):
            path.unlink(missing_ok=True)
        done = self.identity.run("jail", "--profile", profile, "--cpu-ms", 120000, "--wall-ms", 240000, "--memory-mib", 64,
                                 "--processes", 12, "--output-bytes", 1 << 22, "--stdin", self.rows[profile], "--report",
                                 report, "--stdout", out, "--stderr", os.devnull, "--", self.program, kind, seed, calls,
                                 timeout=300)
        what = f"--profile {profile} {kind} {seed} {calls}"
        self.runs += 1
        if done.returncode != 0 or not report.exists():
            self.wrong.append(f"no report: {what}: {done.stderr.decode(errors='replace')[-500:]}")
            return
        found = json.loads(report.read_text())
        made = re.findall(rb"calls (\d+)\n", out.read_bytes())
        self.calls += int(made[-1]) if made else 1
        ending = found["ending"]
        self.endings[ending] = self.endings.get(ending, 0) + 1
        self.blocked.add(found["blocked_call"])
        if ending not in ENDINGS or (ending == "policy_violation") != bool(found["blocked_call"]):
            self.wrong.append(f"{what}: {json.dumps(found)}")
        # Nothing but the last call of all is held; its children may end the first process in ways of their own.
        if kind == "rows" and ending == "policy_violation" and found["blocked_call"] != "socket":
            self.wrong.append(f"a row of the policy ended a run: {what}: {json.dumps(found)}")
        took, left = watch.time_until_alone(2)
        if left:
            self.wrong.append(f"left after {took:.1f} s: {what}: {left}")

    def many(self, calls, wild, seed):
        """At least so many calls from rows, in runs of a good size, and so many runs of the wild kind."""
        size = max(2000, min(200_000, calls // 8))
        number = seed
        while self.calls < calls and len(self.wrong) < 10:
            number += 1
            self.run(PROFILES[number % 2], "rows", number, size)
        for _ in range(wild):
            number += 1
            if len(self.wrong) < 10:
                self.run(PROFILES[number % 2], "wild", number, 400)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--calls", type=int, default=120_000, help="of rows of the policy, over all identities")
    parser.add_argument("--wild", type=int, default=120, help="runs with any number and any ABI, over all identities")
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--who", default="", help="root or user: that identity only")
    options = parser.parse_args()
    seed = options.seed if options.seed is not None else int.from_bytes(os.urandom(4), "big")
    print(f"# --seed {seed}", flush=True)
    command.become_subreaper()
    suite = checks.Checks("calls")
    people = [one for one in command.identities(os.environ["PERFJUDGE_SOURCE_ROOT"], os.environ["PERFJUDGE"])
              if options.who in ("", one.name)]
    for identity in people:
        who = identity.name
        first = identity.run("jail", "--report", os.devnull, "--", "/bin/true", timeout=60)
        if first.returncode == 3:
            checks.cannot_run("calls", first.stderr.decode(errors="replace").strip())
        secret = secrets.token_hex(16)
        marker = identity.write("marker.txt", secret)
        fuzzer = Fuzzer(identity, os.environ["PERFJUDGE_STRESS"])
        before = watch.Before(identity)
        fuzzer.many(options.calls // len(people), options.wild // len(people), seed)
        print(f"# {who}: {fuzzer.calls} calls in {fuzzer.runs} runs, {json.dumps(fuzzer.endings)}, "
              f"{len(fuzzer.blocked - {None})} different calls blocked", flush=True)
        suite.check(f"{who}: random calls: every run has an end that there is", not fuzzer.wrong,
                    "\n".join(fuzzer.wrong))
        suite.check(f"{who}: the calls were made", fuzzer.calls >= options.calls // len(people), fuzzer.calls)
        suite.equal(f"{who}: the marker is as it was", marker.read_text(), secret)
        for what, left in before.problems([identity.path("run.")]).items():
            suite.check(f"{who}: no {what} left or changed", not left, left)
        identity.remove()
    return suite.finish()


if __name__ == "__main__":
    sys.exit(main())
