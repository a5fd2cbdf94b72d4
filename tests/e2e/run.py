#!/usr/bin/env python3
# Promises about whole batches: the same bytes for any --jobs, order and resume; nothing left after a kill;
# broken inputs are counted; a host that cannot judge says so. Small batches, to stay fast.
# Called by Meson (suite e2e), as root and as an ordinary user.
import argparse
import json
import os
import pathlib
import random
import signal
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import broken_host  # noqa: E402
import checks  # noqa: E402
import command  # noqa: E402
import odd_replies  # noqa: E402

REPLIES = ("m1.jsonl", "m2.jsonl", "m3.jsonl", "m4.jsonl")
VERDICT_FIELDS = {"task", "model", "sample", "round", "language", "verdict", "reason", "flags", "cases_passed",
                  "cases_run", "cases_total", "repeats", "source_sha256"}
SEED = "5eed" * 16


def task_of(line):
    return json.loads(line).get("task_id") or json.loads(line)["custom_id"].split("#")[0]


def small_batch(source_root, per_file):
    """The first replies of each bundled file, in all of its languages and shapes."""
    lines = []
    for name in REPLIES:
        text = (source_root / "tests" / "replies" / name).read_text()
        lines += [line for line in text.splitlines() if task_of(line) == "gemm-two-level"][:per_file]
        lines += [line for line in text.splitlines() if task_of(line) == "conv2d-halo"][:1]
    return lines


class Batch:
    """Grades small batches as one identity, always with the same hidden seed."""

    def __init__(self, identity):
        self.identity = identity
        self.tasks = identity.source_root / "tasks"
        self.seed = identity.write("seed.txt", SEED + "\n")

    def arguments(self, submissions, out, *options):
        return ["grade", submissions, "--tasks", self.tasks, "--out", self.identity.path(out), "--hidden-seed",
                self.seed, *options]

    def grade(self, submissions, out, *options, **how):
        return self.identity.run(*self.arguments(submissions, out, *options), **how)

    def verdicts(self, out):
        path = self.identity.path(out) / "verdicts.jsonl"
        return path.read_bytes() if path.exists() else b""


def says(done):
    return (done.stderr + done.stdout).decode(errors="replace")


def check_same_bytes(suite, batch):
    """Returns the bytes every other run of this batch must repeat."""
    who, identity = batch.identity.name, batch.identity
    lines = small_batch(identity.real_root, 3)
    submissions = identity.write("batch.jsonl", "\n".join(lines) + "\n")
    first = batch.grade(submissions, "one", "--jobs", 1)
    if first.returncode == 3:
        checks.cannot_run("e2e", says(first).strip())
    wanted = batch.verdicts("one")
    rows = [json.loads(line) for line in wanted.decode().splitlines()]
    suite.equal(f"{who}: one verdict a reply", len(rows), len(lines))
    suite.check(f"{who}: every field of a verdict is there", rows and all(VERDICT_FIELDS <= set(row) for row in rows),
                rows[:1])
    suite.check(f"{who}: no fault of ours in the batch", all(row["verdict"] != "JE" for row in rows), says(first)[-1500:])
    suite.check(f"{who}: the batch has right and wrong replies",
                {"AC"} < {row["verdict"] for row in rows}, sorted({row["verdict"] for row in rows}))
    suite.equal(f"{who}: exit code of a good batch", first.returncode, 0)
    batch.grade(submissions, "two", "--jobs", 2)
    suite.check(f"{who}: same bytes with --jobs 2", batch.verdicts("two") == wanted)
    random.Random(7).shuffle(lines)
    half = len(lines) // 2
    shuffled = [identity.write(f"part{n}.jsonl", "\n".join(part) + "\n")
                for n, part in enumerate((lines[half:], lines[:half]))]
    batch.identity.run(*batch.arguments(shuffled[0], "mixed", "--jobs", 2), shuffled[1])
    suite.check(f"{who}: same bytes for another order", batch.verdicts("mixed") == wanted)
    mode = (identity.path("one") / "results.jsonl").stat().st_mode & 0o777
    suite.equal(f"{who}: results are private", oct(mode), oct(0o600))
    again = batch.grade(submissions, "one", "--jobs", 1)
    suite.check(f"{who}: a finished folder is not written over", again.returncode == 2, says(again))
    suite.check(f"{who}: and its verdicts stay", batch.verdicts("one") == wanted)
    return submissions, wanted


def check_resume(suite, batch, submissions, wanted, kills):
    """SIGKILL at random moments, then --resume until it has finished."""
    who = batch.identity.name
    moments = random.Random(11)
    start = time.monotonic()
    batch.grade(submissions, "timed", "--jobs", 2)
    whole = time.monotonic() - start
    for round_ in range(kills):
        out = f"killed{round_}"
        for attempt in range(3):
            resume = ["--resume"] if attempt > 0 else []
            process = batch.identity.start(*batch.arguments(submissions, out, "--jobs", 2, *resume))
            time.sleep(whole * moments.uniform(0.02, 0.7))
            coordinator = find("perfjudge", "grade")
            for pid in coordinator:
                os.kill(pid, signal.SIGKILL)
            left = command.wait_until_alone(200, keep=(process.pid,))
            process.wait()
            suite.equal(f"{who}: nothing is left 200 ms after the coordinator was killed ({round_}.{attempt})", left, {})
        done = batch.grade(submissions, out, "--jobs", 2, "--resume")
        suite.check(f"{who}: --resume finishes after kills ({round_})", done.returncode == 0, says(done)[-1500:])
        suite.check(f"{who}: same bytes after kills and --resume ({round_})", batch.verdicts(out) == wanted)


def find(name, subcommand):
    """Our processes of that name whose command line has that subcommand."""
    found = []
    for pid, row in command.descendants().items():
        try:
            words = pathlib.Path("/proc", str(pid), "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if row[1] == name and subcommand.encode() in words[1:2]:
            found.append(pid)
    return found


def check_portable(suite, batch, submissions, wanted):
    """The same verdicts, byte for byte, whatever the jails are made of."""
    done = batch.grade(submissions, "portable", "--jobs", 2, "--mode", "portable")
    who = batch.identity.name
    suite.check(f"{who}: portable mode finishes", done.returncode in (0, 4), says(done)[-1500:])
    suite.check(f"{who}: portable mode: the same verdicts", batch.verdicts("portable") == wanted)
    summary = json.loads(batch.identity.path("portable").joinpath("summary.json").read_text())
    suite.equal(f"{who}: portable mode is named", summary["mode"], "portable")
    more = batch.identity.write("more.jsonl", submissions.read_bytes() + json.dumps(GOOD | {"model": "late"}).encode() + b"\n")
    done = batch.grade(more, "portable", "--resume", "--mode", "full")
    suite.check(f"{who}: one batch is of one mode", done.returncode == 2 and "portable" in says(done), says(done)[-1500:])


def check_killed_parts(suite, batch, submissions, wanted):
    """A worker or a helper that is killed is replaced, and lowers nobody's score."""
    who = batch.identity.name
    for part in ("worker", "helper"):
        out = f"part-{part}"
        process = batch.identity.start(*batch.arguments(submissions, out, "--jobs", 1))
        results = batch.identity.path(out) / "results.jsonl"
        deadline, killed = time.monotonic() + 120, False
        while time.monotonic() < deadline and process.poll() is None and not killed:
            time.sleep(0.02)
            if not results.exists() or results.stat().st_size == 0:
                continue  # still starting: what dies now is a host that cannot judge
            pids = find("perfjudge", "worker") if part == "worker" else command.helpers()
            for pid in pids[:1]:
                os.kill(pid, signal.SIGKILL)
                killed = True
        code = process.wait(timeout=600)
        suite.check(f"{who}: a {part} could be killed", killed)
        suite.equal(f"{who}: exit code after a {part} was killed", code, 0)
        suite.check(f"{who}: same bytes after a {part} was killed", batch.verdicts(f"part-{part}") == wanted)
        suite.equal(f"{who}: nothing is left after a {part} was killed", command.wait_until_alone(200), {})


BROKEN = {
    "truncated line": (b'{"task_id":"gemm-two-level","model":"m","sample":0,"code":"x', ":1"),
    "not an object": (b'[1,2,3]\n', ":1"),
    "invalid UTF-8 outside strings": (b'\xff\xfe{"task_id":"gemm-two-level","model":"x","sample":0,"code":"x"}\n', ":1"),
    "NUL between lines": (b'\0\0\0\n', ":1"),
    "no task": (b'{"model":"m","sample":0,"code":"x"}\n', ":1"),
    "nested too deeply": (b'{"task_id":' + b"[" * 100000 + b"\n", ":1"),
}
GOOD = {"task_id": "gemm-two-level", "model": "m", "sample": 0, "language": "python",
        "code": "def predict(workload, architecture, mapping):\n    return {}\n"}


def check_broken_inputs(suite, batch):
    who, good = batch.identity.name, json.dumps(GOOD).encode() + b"\n"
    for name, (line, where) in BROKEN.items():
        path = batch.identity.write(f"broken-{name.replace(' ', '-')}.jsonl", line.rstrip(b"\n") + b"\n" + good)
        done = batch.grade(path, f"out-{path.stem}")
        text = says(done)
        suite.check(f"{who}: {name}: exit code 4 and the line is named",
                    done.returncode == 4 and path.name + where in text, f"exit code {done.returncode}\n{text[-1500:]}")
        rows = batch.verdicts(f"out-{path.stem}").splitlines()
        suite.check(f"{who}: {name}: the good line is graded", any(json.loads(row)["model"] == "m" for row in rows), rows)
    check_ungraded(suite, batch, good)
    empty = batch.identity.write("empty.jsonl", b"")
    done = batch.grade(empty, "out-empty")
    suite.check(f"{who}: an empty file is unusable input", done.returncode == 2 and "empty.jsonl" in says(done),
                f"exit code {done.returncode}\n{says(done)}")
    done = batch.grade(batch.identity.path("nowhere.jsonl"), "out-nowhere")
    suite.check(f"{who}: a missing file is unusable input", done.returncode == 2 and "nowhere.jsonl" in says(done),
                f"exit code {done.returncode}\n{says(done)}")


def check_ungraded(suite, batch, good):
    """Lines with a key that cannot be graded: unknown task, one key with two texts."""
    who = batch.identity.name
    other = json.dumps(GOOD | {"code": "def predict(a, b, c):\n    return None\n"}).encode() + b"\n"
    unknown = json.dumps(GOOD | {"task_id": "no-such-task"}).encode() + b"\n"
    fine = json.dumps(GOOD | {"sample": 1}).encode() + b"\n"
    cases = {"unknown task": (unknown + fine, "no-such-task", 1), "one key, two texts": (good + other + fine, "not equal", 1),
             "one key, twice the same text": (good + good, None, 1), "CRLF line ends": (good.replace(b"\n", b"\r\n"), None, 1)}
    for name, (data, wanted, graded) in cases.items():
        path = batch.identity.write(f"lines-{name.replace(' ', '-').replace(',', '')}.jsonl", data)
        done = batch.grade(path, f"out-{path.stem}")
        code = 0 if wanted is None else 4
        suite.check(f"{who}: {name}: exit code {code}", done.returncode == code and (wanted or "") in says(done),
                    f"exit code {done.returncode}\n{says(done)[-1500:]}")
        rows = [json.loads(row) for row in batch.verdicts(f"out-{path.stem}").splitlines()]
        suite.check(f"{who}: {name}: what can be graded is", len([r for r in rows if r["verdict"] == "PE"]) == graded, rows)


def check_bad_use(suite, batch):
    who, identity = batch.identity.name, batch.identity
    good = identity.write("good.jsonl", json.dumps(GOOD) + "\n")
    short = identity.write("short.seed", "abc\n")
    for name, words in {
        "unknown option": ["grade", good, "--tasks", batch.tasks, "--out", identity.path("x1"), "--no-such-option"],
        "no --out": ["grade", good, "--tasks", batch.tasks],
        "no such tasks": ["grade", good, "--tasks", identity.path("nowhere"), "--out", identity.path("x2")],
        "zero workers": ["grade", good, "--tasks", batch.tasks, "--out", identity.path("x3"), "--jobs", 0],
        "short seed": ["grade", good, "--tasks", batch.tasks, "--out", identity.path("x4"), "--hidden-seed", short],
        "resume of nothing": ["grade", good, "--tasks", batch.tasks, "--out", identity.path("x5"), "--resume"],
    }.items():
        done = identity.run(*words)
        text = done.stderr.decode(errors="replace").strip()
        suite.check(f"{who}: {name}: exit code 2 and few words", done.returncode == 2 and 0 < len(text.split("\n")) <= 4,
                    f"exit code {done.returncode}\n{text}")


def check_no_compiler(suite, batch, identity):
    """C++ cannot be judged: JE, in no rate. Python can, and is."""
    cpp = {**GOOD, "sample": 1, "language": "cpp", "code": '#include "perfmodel.hpp"\n'}
    both = identity.write("both.jsonl", json.dumps(GOOD) + "\n" + json.dumps(cpp) + "\n")
    done = batch.grade(both, "no-compiler", between=broken_host.no_compiler(identity.path("empty")), timeout=120)
    suite.equal("root: exit code without a compiler", done.returncode, 4)
    rows = [json.loads(line)["verdict"] for line in batch.verdicts("no-compiler").decode().splitlines()]
    suite.equal("root: without a compiler C++ is JE and Python is judged", rows, ["PE", "JE"])
    suite.check("root: the missing compiler is named", "cpp is not offered here" in says(done), says(done)[-1500:])


def check_broken_hosts(suite, batch):
    """Hosts without namespaces, and full disks: the answer is ours to give, never a lower score.

    Without namespaces or mounts there is portable mode, which is said; without Landlock as well there is nothing.
    """
    who, identity = batch.identity.name, batch.identity
    good = identity.write("good.jsonl", json.dumps(GOOD) + "\n")
    for name, forbid in broken_host.HOSTS.items():
        done = batch.grade(good, f"host-{name}", between=broken_host.prefix(forbid), timeout=120)
        suite.check(f"{who}: a host without {name} judges in portable mode",
                    done.returncode == 0 and b'"verdict":"PE"' in batch.verdicts(f"host-{name}"), says(done)[-1500:])
        suite.check(f"{who}: without {name}: the mode is said", "portable mode" in says(done), says(done)[-1500:])
        for lacks, mode in ((forbid, "full"), (f"{forbid},{broken_host.LANDLOCK}", "auto")):
            done = batch.grade(good, f"host-{name}-{mode}", "--mode", mode, between=broken_host.prefix(lacks), timeout=120)
            suite.check(f"{who}: a host without {lacks} cannot judge in mode {mode}",
                        done.returncode == 3 and says(done).strip() != "",
                        f"exit code {done.returncode}\n{says(done)[-1500:]}")
        suite.equal(f"{who}: nothing is left on a host without {name}", command.wait_until_alone(200), {})
    if identity.name == "root":
        check_no_compiler(suite, batch, identity)
        done = batch.grade(good, "full/out", between=broken_host.full_disk(identity.path("full")), timeout=120)
        suite.check("root: a full disk is no finished batch", done.returncode not in (0, 1) and says(done).strip() != "",
                    f"exit code {done.returncode}\n{says(done)[-1500:]}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--who", default="", help="root or user: that identity only")
    parser.add_argument("--keep", action="store_true", help="keep the folders of the runs")
    options = parser.parse_args()
    command.become_subreaper()
    suite = checks.Checks("e2e")
    for number, identity in enumerate(command.identities(os.environ["PERFJUDGE_SOURCE_ROOT"], os.environ["PERFJUDGE"])):
        if options.who not in ("", identity.name):
            continue
        batch = Batch(identity)
        submissions, wanted = check_same_bytes(suite, batch)
        check_resume(suite, batch, submissions, wanted, kills=2 if number == 0 else 1)
        check_portable(suite, batch, submissions, wanted)
        check_killed_parts(suite, batch, submissions, wanted)
        odd_replies.check_odd_replies(suite, batch)
        odd_replies.check_long_reply(suite, batch)
        check_broken_inputs(suite, batch)
        check_bad_use(suite, batch)
        check_broken_hosts(suite, batch)
        if options.keep:
            print(f"# {identity.name}: {identity.folder}")
        else:
            identity.remove()
    return suite.finish()


if __name__ == "__main__":
    sys.exit(main())
