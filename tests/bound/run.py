#!/usr/bin/env python3
# `perfjudge bound` as its users call it: answers, files, mistakes; its mapping given to `perfjudge model`.
# Does not judge the search: tests/reference/bound_test.cpp does.
# Called by Meson (suite unit).
import json
import os
import pathlib
import pty
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import checks  # noqa: E402

TOML = """version = 1
[workload]
name = "conv"
dimensions = { K = 8, C = 4, P = 12, R = 3 }
[[workload.tensors]]
name = "I"
ranks = [[["C", 1]], [["P", 2], ["R", 1]]]
output = false
[[workload.tensors]]
name = "W"
ranks = [[["K", 1]], [["C", 1]], [["R", 1]]]
output = false
[[workload.tensors]]
name = "O"
ranks = [[["K", 1]], [["P", 1]]]
output = true
"""
YAML = """problem:
  version: 0.3
  shape:
    name: conv
    dimensions: [K, C, P, R]
    data_spaces:
      - name: I
        projection: [[[C]], [[P, 2], [R]]]
      - name: W
        projection: [[[K]], [[C]], [[R]]]
      - name: O
        projection: [[[K]], [[P]]]
        read_write: true
    coefficients: []
  instance: {K: 8, C: 4, P: 12, R: 3}
"""


class Command:
    def __init__(self, folder):
        self.folder = folder
        self.program = os.environ["PERFJUDGE"]

    def run(self, *arguments):
        return subprocess.run([self.program, *map(str, arguments)], cwd=self.folder, capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, timeout=100, check=False)

    def bound(self, *arguments):
        return self.run("bound", *arguments)

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return name


def check_curve(suite, command):
    done = command.bound("--problem", "conv.toml", "--json")
    suite.equal("the curve: exit code", (done.returncode, done.stderr), (0, ""))
    curve = json.loads(done.stdout)
    suite.check("the curve is proven", curve["proven"] is True)
    suite.equal("compulsory traffic", curve["compulsory_words"], 4 * 25 + 8 * 4 * 3 + 8 * 12)
    points = curve["points"]
    falls = all(a["buffer_words"] < b["buffer_words"] and a["traffic_words"] > b["traffic_words"]
                for a, b in zip(points, points[1:]))
    suite.check("words ascend, traffic descends", len(points) > 3 and falls, points)
    suite.equal("the last step is compulsory", points[-1]["traffic_words"], curve["compulsory_words"])
    suite.equal("--curve is the default", command.bound("--problem", "conv.toml", "--json", "--curve").stdout, done.stdout)
    table = command.bound("--problem", "conv.toml").stdout.splitlines()
    suite.equal("the table has a line for every point", len(table) - table.index("") - 2, len(points))
    for line, point in zip(table[table.index("") + 2:], points):
        if [int(word) for word in line.split()[:2]] != [point["buffer_words"], point["traffic_words"]]:
            suite.check("the table says what JSON says", False, (line, point))
    suite.check("no bypass: starts later", json.loads(command.bound("--problem", "conv.toml", "--json", "--keep-all").stdout)
                ["points"][0]["buffer_words"] == 3)
    return points


def check_timeloop(suite, command, points):
    """The same problem in Timeloop's spelling gives the same curve."""
    for name in ("conv.yaml", "conv.json"):
        done = command.bound("--problem", name, "--json")
        same = done.returncode == 0 and json.loads(done.stdout)["points"] == points
        suite.check(f"{name}: the same curve", same, done.stderr)


def check_mapping(suite, command, points):
    """Every point's mapping, given to `perfjudge model`, moves so many words."""
    for point in points:
        done = command.bound("--problem", "conv.toml", "--buffer-words", point["buffer_words"], "--toml", "best.toml", "--json")
        found = json.loads(done.stdout)["points"]
        model = command.run("model", "--problem", "best.toml", "--architecture", "best.toml", "--mapping", "best.toml")
        words = [line.split()[-1] for line in model.stdout.splitlines() if line.startswith("off-chip words")]
        suite.equal(f"{point['buffer_words']} words: model says the same", (found, words, model.stderr),
                    ([point], [str(point["traffic_words"])], ""))


def check_svg(suite, command):
    done = command.bound("--problem", "conv.toml", "--svg", "curve.svg")
    suite.equal("--svg: exit code", (done.returncode, done.stderr), (0, ""))
    root = xml.etree.ElementTree.parse(command.folder / "curve.svg").getroot()
    text = " ".join(element.text or "" for element in root.iter())
    suite.check("--svg: titled and labelled", all(word in text for word in ("conv", "buffer, words", "compulsory")), text)
    done = command.bound("--problem", "conv.toml", "--svg", "no/such/folder.svg")
    suite.equal("--svg that cannot be written", (done.returncode, done.stderr),
                (2, "perfjudge: error: 'no/such/folder.svg' cannot be written\n"))


def check_mistakes(suite, command):
    command.write("no-output.toml", TOML.replace("output = true", "output = false"))
    command.write("unknown.toml", TOML.replace('name = "conv"', 'name = "conv"\nsize = 3'))
    command.write("huge.toml", TOML.replace("K = 8, C = 4, P = 12", "K = 2097152, C = 2097152, P = 2097152"))
    cases = [
        ("no such file", ["--problem", "none.toml"], 2, "none.toml"),
        ("no output", ["--problem", "no-output.toml"], 2, "no-output.toml: 0 data spaces are outputs, needs exactly one"),
        ("an unknown key", ["--problem", "unknown.toml"], 2, "unknown.toml:4: workload.size"),
        ("too many iterations", ["--problem", "huge.toml"], 2, "huge.toml: the iterations exceed 2^63-1"),
        ("no room", ["--problem", "conv.toml", "--buffer-words", "2", "--keep-all"], 1, "no mapping fits into 2 words"),
        ("a negative buffer", ["--problem", "conv.toml", "--buffer-words", "-1"], 2, "--buffer-words"),
        ("a buffer of 2^63 words", ["--problem", "conv.toml", "--buffer-words", 2**63], 2,
         "'9223372036854775808' is not right here; needs a whole number from 0 to 2^63-1"),
        ("a buffer in another notation", ["--problem", "conv.toml", "--buffer-words", "1e3"], 2, "needs a whole number"),
        ("no number", ["--problem", "conv.toml", "--buffer-words", "many"], 2, "--buffer-words"),
        ("both kinds", ["--problem", "conv.toml", "--buffer-words", "4", "--curve"], 2, "--curve"),
        ("a mapping of a curve", ["--problem", "conv.toml", "--toml", "x.toml"], 2, "--buffer-words"),
        ("no problem", [], 2, "--problem"),
    ]
    for name, arguments, code, part in cases:
        done = command.bound(*arguments)
        one_line = done.stderr.startswith("perfjudge: error: ") and done.stderr.count("\n") == 1
        suite.check(f"mistake: {name}", done.returncode == code and done.stdout == "" and one_line and part in done.stderr,
                    (done.returncode, done.stderr))


def check_progress(suite, command):
    """Only a terminal sees how far the search is, and the line is gone at the end."""
    ours, theirs = pty.openpty()
    done = subprocess.run([command.program, "bound", "--problem", "conv.toml"], cwd=command.folder, stderr=theirs,
                          stdout=subprocess.PIPE, timeout=100, check=False, env=os.environ | {"NO_COLOR": ""})
    os.close(theirs)
    seen = os.read(ours, 65536).decode()
    os.close(ours)
    suite.check("progress on a terminal", done.returncode == 0 and "% of the tiles" in seen, seen)
    suite.check("the progress line is cleared", seen.endswith("\r\x1b[K"), repr(seen))


def main():
    suite = checks.Checks("bound")
    with tempfile.TemporaryDirectory(prefix="perfjudge-test-") as folder:
        command = Command(pathlib.Path(folder))
        command.write("conv.toml", TOML)
        command.write("conv.yaml", YAML)
        problem = {"version": 0.3, "instance": {"K": 8, "C": 4, "P": 12, "R": 3},
                   "shape": {"name": "conv", "dimensions": ["K", "C", "P", "R"], "data_spaces": [
                       {"name": "I", "projection": [[["C"]], [["P", 2], ["R"]]]},
                       {"name": "W", "projection": [[["K"]], [["C"]], [["R"]]]},
                       {"name": "O", "projection": [[["K"]], [["P"]]], "read_write": True}]}}
        command.write("conv.json", json.dumps({"problem": problem}))
        points = check_curve(suite, command)
        check_timeloop(suite, command, points)
        check_mapping(suite, command, points)
        check_svg(suite, command)
        check_mistakes(suite, command)
        check_progress(suite, command)
    return suite.finish()


if __name__ == "__main__":
    sys.exit(main())
