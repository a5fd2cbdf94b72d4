#!/usr/bin/env python3
# Recomputes every number of docs/reference-model.md by the program and compares; --update writes them instead.
# Checks no prose. The column "Timeloop" is compared with the numbers that timeloop-model printed.
# Called by Meson (suite unit), with PERFJUDGE and PERFJUDGE_SOURCE_ROOT in the environment.
import fractions
import gzip
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(os.environ["PERFJUDGE_SOURCE_ROOT"])
sys.path.insert(0, str(ROOT / "tests/support"))
import checks  # noqa: E402

PAGE = ROOT / "docs/reference-model.md"
KEYS = {"tile": "utilized_capacity", "partition": "partition_size", "instances": "utilized_instances"}


def run(arguments):
    """What a command of the page prints, both streams, from the root of the repository."""
    done = subprocess.run([os.environ["PERFJUDGE"], *arguments], cwd=ROOT, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, check=False)
    return done.stdout.decode()


class Numbers:
    """Numbers of the example files, by file and by semantics."""

    def __init__(self):
        self.said = {}
        with gzip.open(ROOT / "tests/data/timeloop/examples.jsonl.gz") as lines:
            self.records = {record["id"].removeprefix("example-"): record for record in map(json.loads, lines)}

    def of(self, example, number, column):
        if column == "Timeloop":
            record = self.records.get(example.split(".")[0])
            return "-" if record is None or "expected" not in record else pick(record["expected"], number)
        if (example, column) not in self.said:
            file = f"docs/examples/{example}"
            self.said[example, column] = run(["model", "--problem", file, "--architecture", file, "--mapping", file,
                                              "--json", "--semantics", *column.split()])
        try:
            return pick(json.loads(self.said[example, column])["result"], number)
        except json.JSONDecodeError:
            return self.said[example, column].strip()


def pick(result, number):
    """"DRAM A reads", "DRAM cycles", "cycles", "off-chip words"."""
    words = number.split()
    if number == "off-chip words":
        spaces = result["levels"][0]["dataspaces"].values()
        return str(sum(space["total"]["reads"] + space["total"]["updates"] for space in spaces))
    if len(words) == 1:
        return str(result[words[0]])
    level = next(one for one in result["levels"] if one["name"] == words[0])
    if len(words) == 2:
        return str(level[words[1]])
    return str(level["dataspaces"][words[1]][KEYS.get(words[2], words[2])])


def value_of(formula):
    """The value of a formula with + - x / and parentheses, in the end rounded half up, or cut, where it says so."""
    text, _, ending = formula.partition(", ")
    assert re.fullmatch(r"[0-9 +x/()-]+", text) and ending in ("", "rounded", "cut"), formula
    exact = re.sub(r"[0-9]+", lambda number: f"Fraction({number[0]})", text.replace("x", "*"))
    value = eval(exact, {"Fraction": fractions.Fraction})  # pylint: disable=eval-used
    if ending:
        value = (value + fractions.Fraction(int(ending == "rounded"), 2)) // 1
    return str(value)


def cells(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def check_row(suite, numbers, header, row):
    """Returns the row with the program's numbers."""
    named = dict(zip(header, row))
    example, number = named["example"].strip("`"), named["number"]
    out = []
    for column, cell in named.items():
        if column in ("example", "number"):
            out.append(cell)
        elif column.startswith("formula"):
            if cell:
                against = column.split("(")[1].rstrip(")")
                suite.equal(f"{example}: {number}: {cell}", value_of(cell), numbers.of(example, number, against))
            out.append(cell)
        else:
            right = numbers.of(example, number, column)
            suite.equal(f"{example}: {number}: {column}", cell, right)
            out.append(right)
    return "| " + " | ".join(out) + " |"


def check_page(suite, text):
    """Tables that begin with `example` and `number`, and console blocks. Returns the page as it should be."""
    numbers = Numbers()
    lines, out = text.split("\n"), []
    header, at = None, 0
    while at < len(lines):
        line = lines[at]
        at += 1
        out.append(line)
        if line == "```console":
            end = lines.index("```", at)
            block = lines[at:end]
            command = block[0].removeprefix("$ perfjudge ")
            said = run(shlex.split(command)).rstrip("\n").split("\n")
            suite.equal(f"$ perfjudge {command}", block[1:], said)
            out += [block[0], *said]
            at = end
        elif line.startswith("| example | number |"):
            header = cells(line)
        elif header and line.startswith("| ") and not line.startswith("| ---"):
            out[-1] = check_row(suite, numbers, header, cells(line))
        elif not line.startswith("|"):
            header = None
    return "\n".join(out)


def check_examples(suite):
    """The files are the records whose printed numbers the page shows."""
    for name, record in Numbers().records.items():
        file = ROOT / "docs/examples" / f"{name}.yaml"
        if not file.exists():
            continue
        done = subprocess.run([os.environ["PERFJUDGE"], "model", "--batch", "-", "--ignore-capacity"], check=False,
                              input=json.dumps(record).encode(), stdout=subprocess.PIPE)
        by_record = json.loads(done.stdout).get("result")
        by_file = json.loads(run(["model", *(word for part in ("problem", "architecture", "mapping")
                                             for word in (f"--{part}", str(file))), "--json", "--ignore-capacity"]))
        suite.check(f"{file.name} is the record", by_record is not None and by_record == by_file["result"])


def main():
    suite = checks.Checks("reference-model page")
    text = PAGE.read_text()
    right = check_page(suite, text)
    if "--update" in sys.argv[1:]:
        PAGE.write_text(right)
        print("written; run again without --update")
        return 1
    suite.check("the page has tables and commands", suite.passed + suite.failed > 50)
    check_examples(suite)
    return suite.finish()


if __name__ == "__main__":
    sys.exit(main())
