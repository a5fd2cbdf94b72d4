# Counts checks and prints one line each; the last line is what tools/test adds up.
# Does not run anything.
# Used by the Python drivers of the suites live, hostile and e2e.
import os
import sys

SKIPPED = 77  # Meson's exit code for "this host cannot run it"


class Checks:
    def __init__(self, suite):
        self.suite = suite
        self.passed = self.failed = self.skipped = 0

    def check(self, name, condition, detail=""):
        """Records one check; returns whether it held."""
        if condition:
            self.passed += 1
            print(f"ok - {name}", flush=True)
        else:
            self.failed += 1
            text = str(detail).replace("\n", "\n#   ")
            print(f"not ok - {name}" + (f"\n#   {text}" if text else ""), flush=True)
        return bool(condition)

    def equal(self, name, actual, expected):
        return self.check(name, actual == expected, f"expected {expected!r}\nactual   {actual!r}")

    def skip(self, name, why):
        self.skipped += 1
        print(f"ok - {name} # SKIP {why}", flush=True)

    def finish(self):
        """Prints the sum and returns the exit code."""
        print(f"{self.suite}: {self.passed} passed, {self.failed} failed, {self.skipped} skipped", flush=True)
        if self.failed > 0:
            return 1
        return 0 if self.passed > 0 else SKIPPED


def jail_must_work():
    return os.environ.get("PERFJUDGE_JAIL_MUST_WORK") == "1"


def cannot_run(suite, why):
    """Ends a suite that this host cannot run: a failure where the jail must work, else a skip."""
    if jail_must_work():
        print(f"not ok - {suite}: {why}\n{suite}: 0 passed, 1 failed, 0 skipped", flush=True)
        sys.exit(1)
    print(f"ok - {suite} # SKIP {why}\n{suite}: 0 passed, 0 failed, 1 skipped", flush=True)
    sys.exit(SKIPPED)
