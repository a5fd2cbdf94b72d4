#!/usr/bin/env python3
# Many runs with SIGKILL at random moments for programs, init, the helper, the worker and the coordinator; then looks
# for everything that could be left, and for a verdict that changed. Asserts no time.
# Called by Meson (suite stress) in a short form, and by tools/stress in a long one.
import argparse
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import checks  # noqa: E402
import command  # noqa: E402

import watch  # noqa: E402

ENDINGS = {"exited", "signaled", "cpu_limit", "wall_limit", "memory_limit", "output_limit", "policy_violation"}
# program, options, how it ends if nobody is killed
PROGRAMS = [
    (["exit_code", 7], [], {"exited"}),
    (["raise_signal", "abort"], [], {"signaled"}),
    (["spin", 2, 400], ["--cpu-ms", 30], {"cpu_limit"}),
    (["spin", 1, 5], ["--cpu-ms", 2000], {"exited"}),
    (["wait", "sleep"], ["--wall-ms", 40], {"wall_limit"}),
    (["wait", "stop"], ["--wall-ms", 40], {"wall_limit"}),
    (["wait", "deaf"], ["--wall-ms", 40], {"wall_limit"}),
    (["touch_memory", 40], ["--memory-mib", 16], {"memory_limit"}),
    (["touch_memory", 6, 4], ["--memory-mib", 16, "--wall-ms", 4000], {"memory_limit"}),
    (["fork_until_refused"], ["--processes", 12, "--wall-ms", 60], {"wall_limit"}),
    (["daemon", "loud"], [], {"exited"}),
    (["daemon", "quiet"], [], {"exited"}),
    (["flood", 1, 20, 1 << 20], ["--output-bytes", 65536], {"output_limit"}),
    (["fill_disk", "files"], ["--inodes", 100], {"exited"}),
    (["forbidden_call", "socket"], [], {"policy_violation"}),
    (["forbidden_call", "int80"], [], {"policy_violation"}),
]
VICTIMS = ("nobody", "nobody", "program", "init", "helper", "perfjudge")
TASK = "gemm-two-level"


def parts(process):
    """perfjudge, its helper, init and the programs of one `perfjudge jail`, as far as they are there."""
    found = {"perfjudge": [process.pid], "helper": [], "init": [], "program": []}
    for helper in watch.children(process.pid):
        found["helper"].append(helper)
        for init in watch.children(helper):
            found["init"].append(init)
            found["program"] += watch.below(init)
    return found


def kill(pid):
    """Only processes below one that we started come here; their pids cannot be anybody else's before they are reaped."""
    try:
        os.kill(pid, signal.SIGKILL)
        return True
    except ProcessLookupError:
        return False


class Jails:
    """Single runs, some at a time."""

    def __init__(self, suite, identity, folder, dice):
        self.suite, self.identity, self.dice = suite, identity, dice
        self.folder = identity.inside(pathlib.Path(folder))
        self.runs = self.kills = self.unfinished = 0
        self.slowest = 0.0
        self.wrong = []

    def start(self, slot):
        words, options, endings = self.dice.choice(PROGRAMS)
        report = self.identity.path(f"slot{slot}.json")
        report.unlink(missing_ok=True)
        process = self.identity.start("jail", *options, "--report", report, "--stdout", os.devnull, "--",
                                      self.folder / words[0], *words[1:])
        return {"process": process, "report": report, "endings": endings, "words": words,
                "victim": self.dice.choice(VICTIMS), "killed": False}

    def strike(self, run):
        victims = parts(run["process"]).get(run["victim"], [])
        if victims and run["process"].poll() is None:
            run["killed"] = kill(self.dice.choice(victims))
            self.kills += run["killed"]

    def finish(self, run):
        self.runs += 1
        try:
            code = run["process"].wait(timeout=60)
        except subprocess.TimeoutExpired:
            self.wrong.append(f"does not end: {run['words']}, {run['victim']} was killed")
            run["process"].kill()
            run["process"].wait()
            return
        text = run["report"].read_text() if run["report"].exists() else ""
        ending = json.loads(text)["ending"] if text and code == 0 else None
        self.unfinished += ending is None
        what = f"{run['words']}, {run['victim']} killed: {run['killed']}, exit code {code}, ending {ending}"
        if ending is not None and ending not in ENDINGS:
            self.wrong.append(f"unknown ending: {what}")
        if not run["killed"] and ending not in run["endings"]:
            self.wrong.append(f"wrong ending: {what}")
        if run["killed"] and run["victim"] == "program" and ending not in run["endings"] | {"signaled", "exited"}:
            self.wrong.append(f"a killed program is ours to report: {what}")
        if run["killed"] and ending is None and code not in (3, -signal.SIGKILL):
            self.wrong.append(f"wrong exit code: {what}")

    def round(self, width):
        running = [self.start(slot) for slot in range(width)]
        waits = sorted((self.dice.expovariate(1 / 0.012), n) for n in range(width))
        start = time.monotonic()
        for wait, n in waits:
            time.sleep(max(0.0, start + min(wait, 0.08) - time.monotonic()))
            self.strike(running[n])
        for run in running:
            self.finish(run)
        took, left = watch.time_until_alone(2)
        self.slowest = max(self.slowest, took)
        if left:
            self.wrong.append(f"left after {took:.1f} s: {left}")

    def many(self, runs, width=3):
        while self.runs < runs and len(self.wrong) < 20:
            self.round(width)
        who = self.identity.name
        print(f"# {who}: {self.runs} jails, {self.kills} kills, {self.unfinished} without a report, "
              f"last process gone {1000 * self.slowest:.0f} ms after the last end at most", flush=True)
        self.suite.check(f"{who}: {runs} jails with random kills: every end is right, nothing is left of any",
                         not self.wrong, "\n".join(self.wrong[:20]))


class Batches:
    """Whole batches, of which workers, helpers, inits and the coordinator are killed."""

    def __init__(self, suite, identity, dice):
        self.suite, self.identity, self.dice = suite, identity, dice
        self.tasks = identity.source_root / "tasks"
        self.seed = identity.write("hidden.seed", "5eed" * 16 + "\n")
        self.kills = {"perfjudge": 0, "worker": 0, "helper": 0, "init": 0}
        self.most = {}  # worker or helper -> the most descriptors that it was seen with

    def submissions(self, count):
        folder = self.identity.real_root / "tasks" / "construction" / TASK / "solutions"
        code = (folder / "solution.lua").read_text()
        lines = [json.dumps({"task_id": TASK, "model": "stress", "sample": n, "language": "lua",
                             "code": code + f"-- {n}\n"}) for n in range(count)]
        return self.identity.write("batch.jsonl", "\n".join(lines) + "\n")

    def arguments(self, submissions, out, *more):
        return ["grade", submissions, "--tasks", self.tasks, "--out", out, "--hidden-seed", self.seed, "--jobs", 2, *more]

    def find(self, coordinator):
        workers = [pid for pid in watch.children(coordinator) if watch.name(pid) == "perfjudge"]
        helpers = [pid for worker in workers for pid in watch.children(worker) if watch.name(pid) == "perfjudge-jail"]
        inits = [pid for helper in helpers for pid in watch.children(helper)]
        return {"perfjudge": [coordinator], "worker": workers, "helper": helpers, "init": inits}

    def note_descriptors(self, found):
        for pid in [*found["worker"], *found["helper"]]:
            self.most[pid] = max(self.most.get(pid, 0), watch.descriptors(pid))

    def disturb(self, process, out):
        """Kills parts now and then until the batch ends. Whoever of ours dies during a start means that this host
        cannot judge, so the first kill waits for a result of this start."""
        results = out / "results.jsonl"
        size = results.stat().st_size if results.exists() else 0
        next_kill = time.monotonic() + self.dice.uniform(0.1, 1.0)
        while process.poll() is None:
            time.sleep(0.02)
            found = self.find(process.pid)
            self.note_descriptors(found)
            if time.monotonic() < next_kill or not (results.exists() and results.stat().st_size > size):
                continue
            next_kill = time.monotonic() + self.dice.uniform(0.3, 1.5)
            victim = self.dice.choice(("worker", "worker", "worker", "helper", "helper", "helper", "init", "init", "perfjudge"))
            if found[victim] and kill(self.dice.choice(found[victim])):
                self.kills[victim] += 1
        process.wait()

    def start(self, submissions, out):
        resume = ["--resume"] if (out / "manifest.json").exists() else []
        if not resume:
            shutil.rmtree(out, ignore_errors=True)
        return self.identity.start(*self.arguments(submissions, out, *resume))

    @staticmethod
    def verdicts(out):
        """Verdict of each submission as far as it was judged, and what was said where it was not accepted."""
        lines = command.json_lines(out / "results.jsonl") if (out / "results.jsonl").exists() else []
        last = {line["sample"]: line for line in lines}
        said = [(line["sample"], line["verdict"], line["reason"], line["detail"]) for line in last.values()
                if line["verdict"] != "AC"]
        return last, said

    def run(self, count):
        """Until it has finished in spite of its kills; then once more in peace, for what was nobody's fault but ours."""
        who, submissions, out = self.identity.name, self.submissions(count), self.identity.path("out")
        starts, code, lost = 0, None, []
        while code not in (0, 4) and starts < 60 and not lost:
            starts += 1
            process = self.start(submissions, out)
            self.disturb(process, out)
            code = process.returncode
            lost = [row for row in self.verdicts(out)[1] if row[1] != "JE"]
            _, left = watch.time_until_alone(2)
            lost += [f"left: {left}"] if left else []
        print(f"# {who}: {starts} starts, kills {self.kills}, last exit code {code}", flush=True)
        self.suite.equal(f"{who}: a kill lowers no verdict: it is the right one or JE, and nothing is left", lost, [])
        self.suite.check(f"{who}: the batch finishes in spite of its kills", code in (0, 4), f"exit code {code}")
        process = self.start(submissions, out)
        process.wait()
        last, said = self.verdicts(out)
        cases = sum(len(line["cases"]) for line in last.values())
        print(f"# {who}: {len(last)} submissions, {cases} cases, at most {max(self.most.values(), default=0)} descriptors",
              flush=True)
        self.suite.equal(f"{who}: --resume gives every submission its verdict", (process.returncode, len(last), said),
                         (0, count, []))
        # A worker and a helper hold some sixty, those of jails made ahead included; a leak of one a case would pass this.
        many = {pid: most for pid, most in self.most.items() if most > 96}
        self.suite.equal(f"{who}: no worker and no helper gathers descriptors", many, {})


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=300, help="of programs, over all identities")
    parser.add_argument("--seed", type=int, default=None, help="of the random moments")
    parser.add_argument("--who", default="", help="root or user: that identity only")
    options = parser.parse_args()
    seed = options.seed if options.seed is not None else int.from_bytes(os.urandom(4), "big")
    print(f"# --seed {seed}", flush=True)
    command.become_subreaper()
    suite = checks.Checks("stress")
    people = [one for one in command.identities(os.environ["PERFJUDGE_SOURCE_ROOT"], os.environ["PERFJUDGE"])
              if options.who in ("", one.name)]
    for identity in people:
        first = identity.run("jail", "--report", os.devnull, "--", "/bin/true", timeout=60)
        if first.returncode == 3:
            checks.cannot_run("stress", first.stderr.decode(errors="replace").strip())
        dice = random.Random(seed)
        share = options.runs // len(people)
        jails, batches = Jails(suite, identity, os.environ["PERFJUDGE_PROBES"], dice), Batches(suite, identity, dice)
        before = watch.Before(identity)
        jails.many(share * 2 // 3)
        batches.run(max(2, share // 3 // 68))  # cases of this task
        allowed = [identity.path(name) for name in ("slot", "batch.jsonl", "out", ".cache")]
        for what, left in before.problems(allowed).items():
            suite.check(f"{identity.name}: no {what} left or changed", not left, left)
        identity.remove()
    return suite.finish()


if __name__ == "__main__":
    sys.exit(main())
