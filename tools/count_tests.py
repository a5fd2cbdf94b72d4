#!/usr/bin/env python3
# Adds up the single tests in Meson's test logs and prints `N passed, N failed, N skipped`.
# Does not run tests. A test program that ended badly without saying so counts as one failure.
# Called by tools/test.
import json
import pathlib
import re
import sys

DOCTEST = re.compile(r"\[doctest\] test cases:\s*(\d+) \|\s*(\d+) passed \|\s*(\d+) failed")
DRIVER = re.compile(r"^\S+: (\d+) passed, (\d+) failed, (\d+) skipped$", re.MULTILINE)
COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def count(entry):
    """(passed, failed, skipped) of one Meson test."""
    text = COLOUR.sub("", entry.get("stdout") or "")
    found = [(int(passed), int(failed), 0) for _, passed, failed in DOCTEST.findall(text)]
    found += [tuple(map(int, row)) for row in DRIVER.findall(text)]
    passed, failed, skipped = (sum(column) for column in zip(*found)) if found else (0, 0, 0)
    result = entry["result"]
    if result in ("OK", "EXPECTEDFAIL"):
        return (passed, failed, skipped) if found else (1, 0, 0)
    if result == "SKIP":
        return (passed, failed, skipped) if found else (0, 0, 1)
    return (passed, max(failed, 1), skipped)


def main():
    names = sys.argv[1:]
    broken = names[:1] == ["--broken"]  # a step between the suites failed
    passed, failed, skipped = 0, int(broken), 0
    for name in names[int(broken):]:
        path = pathlib.Path(name)
        lines = path.read_text(errors="replace").splitlines() if path.exists() else []
        if not lines:
            failed += 1
            print(f"-- {path.parent}: no test ran")
        for line in lines:
            entry = json.loads(line)
            row = count(entry)
            passed, failed, skipped = (a + b for a, b in zip((passed, failed, skipped), row))
            if row[1] > 0:
                print(f"-- failed: {path.parent}: {entry['name']} ({entry['result']}, {row[1]} of {sum(row)})")
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed > 0 or passed == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
