#!/usr/bin/env python3
# Gives tools/count_tests.py logs of good and bad test runs and checks the line it prints.
# Runs no other test.
# Called by Meson (suite lint).
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "support"))
import checks  # noqa: E402

DOCTEST = "[doctest] test cases: {} | {} passed | {} failed | 0 skipped\n"


def entry(result, stdout=""):
    return {"name": "x", "result": result, "stdout": stdout, "returncode": 0}


LOGS = {
    "doctest passes": ([entry("OK", DOCTEST.format(" 12", " 12", "0"))], "12 passed, 0 failed, 0 skipped", 0),
    "doctest in colour": ([entry("OK", "\x1b[0;36m[doctest]\x1b[0m test cases: 3 | \x1b[0;32m3 passed\x1b[0m | 0 failed |")],
                          "3 passed, 0 failed, 0 skipped", 0),
    "doctest fails": ([entry("FAIL", DOCTEST.format("12", "11", "1"))], "11 passed, 1 failed, 0 skipped", 1),
    "driver": ([entry("OK", "ok - a\nhostile: 5 passed, 0 failed, 2 skipped\n")], "5 passed, 0 failed, 2 skipped", 0),
    "a crash counts": ([entry("FAIL", "half a line"), entry("OK")], "1 passed, 1 failed, 0 skipped", 1),
    "a crash after some passed": ([entry("FAIL", DOCTEST.format("4", "4", "0"))], "4 passed, 1 failed, 0 skipped", 1),
    "a timeout counts": ([entry("TIMEOUT", "")], "0 passed, 1 failed, 0 skipped", 1),
    "a skip counts": ([entry("SKIP", ""), entry("OK")], "1 passed, 0 failed, 1 skipped", 0),
    "no output": ([{"name": "x", "result": "OK", "returncode": 0}], "1 passed, 0 failed, 0 skipped", 0),
    "nothing ran": ([], "0 passed, 1 failed, 0 skipped", 1),
}


def count(logs, *options):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "testlog.json")
        path.write_text("".join(json.dumps(one) + "\n" for one in logs))
        done = subprocess.run([sys.executable, str(ROOT / "tools" / "count_tests.py"), *options, str(path)],
                              capture_output=True, text=True, check=False)
    return done.stdout.strip().split("\n")[-1], done.returncode


def main():
    suite = checks.Checks("count_test")
    for name, (logs, line, code) in LOGS.items():
        suite.equal(name, count(logs), (line, code))
    suite.equal("a broken step counts", count([entry("OK")], "--broken"), ("1 passed, 1 failed, 0 skipped", 1))
    return suite.finish()


if __name__ == "__main__":
    sys.exit(main())
