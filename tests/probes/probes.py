# Runs programs of the probe folder through `perfjudge jail` as one identity, and says how a check went.
# Knows no program and no verdict: cases.py does.
# Used by run.py and outside.py.
import json
import pathlib

import cases
import portable


class Probes:
    """One way of running: an identity, the folder of programs as it sees it, and the suite that counts."""

    def __init__(self, identity, folder, suite, place="host"):
        self.identity, self.suite, self.place = identity, suite, place
        self.portable = place in ("container", "older")
        self.real_folder = pathlib.Path(folder)  # by which we can read it
        self.folder = identity.inside(self.real_folder)
        self.sampled = False  # set once a report has told: memory is not limited by a control group

    def arguments(self, options, words, name="run"):
        return ["jail", *options, "--report", self.identity.path(f"{name}.json"), "--stdout",
                self.identity.path(f"{name}.txt"), "--", self.folder / str(words[0]), *words[1:]]

    def result(self, name="run"):
        """(report, standard output) of the last run of that name."""
        report, out = self.identity.path(f"{name}.json"), self.identity.path(f"{name}.txt")
        text = out.read_bytes().decode(errors="replace") if out.exists() else ""
        found = json.loads(report.read_text()) if report.exists() else None
        for path in (report, out):
            path.unlink(missing_ok=True)
        return found, text

    def with_folder(self):
        """Options under which a program may start others and write files, in every mode."""
        return portable.SHELL if self.portable else []

    def run(self, words, options=(), **environment):
        """(report, standard output, finished command)"""
        self.result()  # what an earlier run left
        done = self.identity.run(*self.arguments(options, words), timeout=90,
                                 environment=self.identity.environment(**environment))
        return *self.result(), done

    def start(self, words, options=(), name="run"):
        self.result(name)
        return self.identity.start(*self.arguments(options, words, name))

    def check(self, name, condition, detail=""):
        """Counts one check. One that is known to fail is said and skipped, until it passes."""
        full = f"{self.identity.name}: {name}"
        if name not in cases.KNOWN:
            return self.suite.check(full, condition, detail)
        if condition:
            return self.suite.check(full, False, "it passes now: take it out of KNOWN in cases.py")
        self.suite.skip(full, f"known to fail: {cases.KNOWN[name]}")
        return False

    def equal(self, name, actual, expected):
        return self.check(name, actual == expected, f"expected {expected!r}\nactual   {actual!r}")
