#!/usr/bin/env python3
# Holds docs/jail-cases.md to the checks: every case has a row, every name in it is a check or a file, and the
# sections about sampled limits and known faults are those of cases.py. Runs no jail.
# Called by Meson (suite lint). `docs_test.py --write` writes the two sections anew.
import ast
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE.parent / "support"))
import cases  # noqa: E402
import checks  # noqa: E402

PAGE = ROOT / "docs" / "jail-cases.md"
ID = re.compile(r"\b[SP]\d\d\b")
WANTED = [f"S{n:02}" for n in range(1, 41)] + [f"P{n:02}" for n in range(1, 59)]
HEAD = "## What `sampled` promises instead\n"


def names_of_checks():
    """Texts in the drivers, with what is put into them as `...`, and the names of rows."""
    found = {row[0] for row in cases.TABLE}
    for path in HERE.glob("*.py"):
        if path.name == pathlib.Path(__file__).name:
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.add(node.value)
            if isinstance(node, ast.JoinedStr):
                found.add("".join(part.value if isinstance(part, ast.Constant) else "..." for part in node.values))
    return {name.removeprefix("...: ") for name in found}


def sections():
    """The generated end of the page."""
    lines = [HEAD, "| check | ends as | why |", "| --- | --- | --- |"]
    for name, (wanted, _, why) in cases.SAMPLED.items():
        ends = ", ".join(f"{key} {value}" for key, value in wanted.items())
        lines.append(f"| `{name}` | {ends} | {why} |")
    lines += ["", "## Known to fail\n"]
    if not cases.KNOWN:
        lines.append("Nothing.")
    else:
        lines += ["These checks are skipped with their reason, and fail once they pass.", "", "| check | why |", "| --- | --- |"]
        lines += [f"| `{name}` | {why} |" for name, why in cases.KNOWN.items()]
    return "\n".join(lines) + "\n"


def rows_of(text):
    return [row.split(" | ") for row in text.splitlines() if re.match(r"\| [SP]\d\d ", row)]


def main():
    text = PAGE.read_text()
    by_hand = text.split(HEAD)[0]
    if "--write" in sys.argv:
        PAGE.write_text(by_hand + sections())
        return 0
    suite = checks.Checks("jail_cases")
    rows, names = rows_of(text), names_of_checks()
    suite.equal("every case has one row, in order", [row[0].strip("| ") for row in rows], WANTED)
    for row in rows:
        case, shown = row[0].strip("| "), re.findall(r"`([^`]+)`", row[2])
        lost = [name for name in shown if not (any(known.startswith(name) for known in names)
                                               or "/" in name and (ROOT / name).exists())]
        suite.equal(f"{case}: what shows it exists", lost, [])
    said = {case for name in names if ID.match(name) for case in ID.findall(name)}
    suite.equal("every case that a check names has a row that names a check", sorted(
        case for case in said if not any(case in row[0] and "`" in row[2] for row in rows)), [])
    unknown = [name for name in [*cases.SAMPLED, *cases.KNOWN] if name not in {row[0] for row in cases.TABLE}]
    suite.equal("exceptions are of checks that exist", unknown, [])
    suite.check("the end of the page is that of cases.py (docs_test.py --write)", text == by_hand + sections())
    return suite.finish()


if __name__ == "__main__":
    sys.exit(main())
