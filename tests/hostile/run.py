#!/usr/bin/env python3
# Grades every attack of this folder through the public command and checks verdict, reason and flags.
# Never runs an attack itself: only `perfjudge grade` does, in a jail.
# Called by Meson (suite hostile), as root and as an ordinary user.
import argparse
import base64
import json
import os
import pathlib
import re
import secrets
import shutil
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import checks  # noqa: E402
import command  # noqa: E402

VERDICTS = ("AC", "WA", "PE", "CE", "RTE", "TLE", "MLE", "OLE", "SV")
EXPECT = re.compile(r"^(?://|#|--) expect:(.*)$", re.MULTILINE)
TASK = "gemm-two-level"
# Smaller than the task's own, so that what runs into them does so soon.
LIMITS = dict(line.split(" = ") for line in (HERE / "limits.txt").read_text().splitlines())


class Attack:
    """One file and what its head says must come of it."""

    def __init__(self, path, place):
        self.name = f"{path.parent.name}/{path.name}"
        self.verdict, self.path = path.parent.name, path
        self.text = path.read_text()
        said = EXPECT.search(self.text)
        if said is None:
            raise SystemExit(f"{path}: no `expect:` line")
        words = dict(word.split("=", 1) for word in said.group(1).split())
        self.reasons = words.pop("reason", "").split("|") if "reason" in words else None
        self.flags = set(filter(None, words.pop("flags", "").split(",")))
        self.run_flags = set(filter(None, words.pop("run_flags", "").split(",")))
        self.run_reason = words.pop("run_reason", None)
        self.uses = words.pop("uses", None)
        self.task = words.pop("task", TASK)
        if words:
            raise SystemExit(f"{path}: unknown word {sorted(words)[0]}")
        if place != "host":
            self.differ(portable_words().get(self.name, {}))

    def differ(self, words):
        """Portable mode: what portable.txt says takes the place of the head's words."""
        self.verdict = words.get("verdict", self.verdict)
        if "reason" in words:
            self.reasons = words["reason"].split("|") if words["reason"] else None
        if "run_flags" in words:
            self.run_flags = set(filter(None, words["run_flags"].split(",")))

    def code(self, replacements):
        text = self.text
        if self.uses is not None:
            text = (HERE / "parts" / (self.uses + self.path.suffix)).read_text() + text
        for name, value in replacements.items():
            text = text.replace(f"@{name}@", value)
        return text

    def line(self, replacements):
        language = {".cpp": "cpp", ".py": "python", ".lua": "lua"}[self.path.suffix]
        return json.dumps({"task_id": self.task, "model": self.name, "sample": 0, "language": language,
                           "code": self.code(replacements)})


def portable_words():
    """name -> words, each of which says what an attack comes to in portable mode, and why (behind the #)."""
    table = {}
    for line in (HERE / "portable.txt").read_text().splitlines():
        name, *words = line.split(" # ")[0].split()
        table[name] = dict(word.split("=", 1) for word in words)
    return table


def attacks(only, place):
    paths = sorted(path for verdict in VERDICTS for path in (HERE / verdict).glob("*.*"))
    return [Attack(path, place) for path in paths if re.search(only, f"{path.parent.name}/{path.name}")]


def lookup_line(identity, tasks):
    """A12: answers the visible cases from a table, and zeros everywhere else."""
    shown = identity.run("task", "--tasks", tasks, "cases", TASK, "--visible", "--json")
    table = []
    for line in shown.stdout.decode().splitlines():
        case = json.loads(line)
        table.append((case["input"], case["expected"]))
    code = ("import json\nTABLE = json.loads(" + repr(json.dumps(table)) + ")\n\n\n"
            "def predict(workload, architecture, mapping):\n"
            "    case = {'workload': workload, 'architecture': architecture, 'mapping': mapping}\n"
            "    for known, answer in TABLE:\n"
            "        if known == case:\n"
            "            return answer\n"
            "    return {name: 0 for name in TABLE[0][1]}\n")
    line = json.dumps({"task_id": TASK, "model": "A12-lookup", "sample": 0, "language": "python", "code": code})
    return line, len(table), shown


def copy_of_tasks(identity):
    """The tasks with LIMITS in the one that is attacked."""
    copy = identity.path("tasks")
    shutil.copytree(identity.real_root / "tasks", copy)
    path = copy / "construction" / TASK / "task.toml"
    text = path.read_text()
    for name, value in LIMITS.items():
        text, found = re.subn(rf"^{name} = .*$", f"{name} = {value}", text, flags=re.MULTILINE)
        assert found == 1, name
    path.write_text(text)
    return copy


def contains(folder, secret):
    """Files below `folder` with the secret's text, plain or in base64 at any of its three offsets."""
    forms = {secret.encode()}
    for offset in range(3):
        forms.add(base64.b64encode(b"x" * offset + secret.encode())[4:-4])
    return [str(path) for path in folder.rglob("*")
            if path.is_file() and any(form in path.read_bytes() for form in forms)]


def check_attack(suite, who, attack, verdict, runs):
    name = f"{who}: {attack.name}"
    if verdict is None:
        suite.check(name, False, "no verdict at all")
        return
    problems = []
    if verdict["verdict"] not in attack.verdict.split("|"):
        problems.append(f"verdict {verdict['verdict']} ({verdict['reason']})")
    if attack.reasons is not None and verdict["reason"] not in attack.reasons:
        problems.append(f"reason {verdict['reason']}, not {'|'.join(attack.reasons)}")
    if not attack.flags <= set(verdict["flags"]):
        problems.append(f"flags {verdict['flags']}, not {sorted(attack.flags)}")
    run_flags = {flag for run in runs for flag in run["flags"]}
    if not attack.run_flags <= run_flags:
        problems.append(f"flags of the run {sorted(run_flags)}, not {sorted(attack.run_flags)}")
    if attack.run_reason is not None and attack.run_reason not in {run["reason"] for run in runs}:
        problems.append(f"reasons of the run {[run['reason'] for run in runs]}, not {attack.run_reason}")
    if problems:
        problems += [json.dumps(run)[:1500] for run in runs[:1]]
    suite.check(name, not problems, "\n".join(problems))


def grade_attacks(suite, identity, only, place):
    who = identity.name
    tasks, out = copy_of_tasks(identity), identity.path("out")
    secret = secrets.token_hex(16)
    marker = identity.write("marker.txt", f"{secret}\n")
    replacements = {"MARKER": str(marker), "TASKS": str(tasks), "OUT": str(out)}
    batch = attacks(only, place)
    lines = [attack.line(replacements) for attack in batch]
    lookup, visible, shown = lookup_line(identity, tasks) if re.search(only, "WA/A12") else (None, 0, None)
    if lookup is not None:
        suite.check(f"{who}: visible cases are shown", visible >= 4, shown.stderr.decode())
        lines.append(lookup)
    seed = identity.write("hidden.seed", secrets.token_hex(32) + "\n")
    submissions = identity.write("attacks.jsonl", "\n".join(lines) + "\n")
    mounts, cgroups = command.mounts(), command.dead_cgroups()
    done = identity.run("grade", submissions, "--tasks", tasks, "--out", out, "--hidden-seed", seed, "--jobs", 2,
                        timeout=1500, environment=identity.environment(PERFJUDGE_TEST_SECRET=secret))
    left = command.wait_until_alone(200)
    if done.returncode == 3:
        checks.cannot_run("hostile", done.stderr.decode(errors="replace").strip())
    suite.equal(f"{who}: the batch finishes", done.returncode, 0)
    if not out.exists():
        suite.check(f"{who}: results exist", False, done.stderr.decode(errors="replace")[-2000:])
        return
    mode = json.loads((out / "manifest.json").read_text())["mode"]
    suite.equal(f"{who}: mode", mode, "full" if place == "host" else "portable")
    check_results(suite, who, out, batch, lookup is not None)
    suite.equal(f"{who}: the secret is in no result", contains(out, secret), [])
    said = (done.stdout + done.stderr).decode(errors="replace")
    suite.check(f"{who}: the secret is in no output", secret not in said)
    suite.equal(f"{who}: the marker is as it was", marker.read_text(), f"{secret}\n")
    suite.equal(f"{who}: no process is left", left, {})
    suite.equal(f"{who}: no mount is left", command.mounts() - mounts, set())
    suite.equal(f"{who}: no cgroup folder is left", command.dead_cgroups() - cgroups, set())


def check_results(suite, who, out, batch, with_lookup):
    verdicts = {line["model"]: line for line in command.json_lines(out / "verdicts.jsonl")}
    runs = {}
    for line in command.json_lines(out / "results.jsonl"):
        runs.setdefault(line.get("model"), []).append(line)
    for attack in batch:
        check_attack(suite, who, attack, verdicts.get(attack.name), runs.get(attack.name, []))
    if with_lookup:
        found = verdicts.get("A12-lookup", {})
        suite.equal(f"{who}: A12 lookup of the visible cases is WA", found.get("verdict"), "WA")
        suite.check(f"{who}: A12 is flagged", "likely_memorised" in found.get("flags", []), found)


def check_bad_tasks(suite, identity):
    """A13, A17: a task that a trivial answer passes, or that asks nothing, is refused when it is loaded."""
    submissions = identity.write("one.jsonl", '{"task_id":"bad","model":"m","sample":0,"code":"x"}\n')
    for folder in sorted((HERE / "bad_tasks").iterdir()):
        wanted = (folder / "refused.txt").read_text().split("\n")[0]
        tasks = identity.source_root / folder.relative_to(HERE.parent.parent)
        done = identity.run("grade", submissions, "--tasks", tasks, "--out", identity.path(f"out-{folder.name}"))
        text = done.stderr.decode(errors="replace")
        suite.check(f"{identity.name}: bad task {folder.name} is refused",
                    done.returncode == 2 and wanted in text, f"exit code {done.returncode}, wanted {wanted!r}\n{text}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", default="", help="regular expression on verdict/file")
    parser.add_argument("--who", default="", help="root or user: that identity only, where we are root")
    parser.add_argument("--place", default="host", choices=command.PLACES, help="where the program runs")
    parser.add_argument("--keep", action="store_true", help="keep the folders of the runs")
    options = parser.parse_args()
    program = os.environ["PERFJUDGE"]
    source_root = os.environ["PERFJUDGE_SOURCE_ROOT"]
    command.become_subreaper()
    suite = checks.Checks("hostile")
    for identity in command.identities(source_root, program, options.place):
        if identity.name != "self" and options.who not in ("", identity.name):
            continue
        grade_attacks(suite, identity, options.only, options.place)
        if options.only == "":
            check_bad_tasks(suite, identity)
        if options.keep:
            print(f"# {identity.name}: {identity.folder}")
        else:
            identity.remove()
    return suite.finish()


if __name__ == "__main__":
    sys.exit(main())
