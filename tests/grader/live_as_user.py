#!/usr/bin/env python3
# Runs the live tests of jails as an ordinary user: no cgroups, a user namespace, one id for all.
# Judges nothing: the tests do.
# Called by Meson as root (elsewhere grader_live says the same): live_as_user.py TESTS HELPER
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, os.environ["PERFJUDGE_SOURCE_ROOT"])
from tests.support import command  # noqa: E402


def main():
    tests, helper = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    root = pathlib.Path(os.environ["PERFJUDGE_SOURCE_ROOT"])
    identity = command.identities(root, tests)[-1]
    if identity.name != "user":
        print("skipped: only root can become an ordinary user")
        return 77
    environment = identity.environment(PERFJUDGE_JAIL=str(identity.inside(helper)),
                                       PERFJUDGE_TEST_CACHE=str(identity.path("cache")),
                                       PERFJUDGE_JAIL_MUST_WORK="1")
    done = subprocess.run(identity.command(), cwd=identity.folder, check=False,
                          env=environment, stdin=subprocess.DEVNULL)
    identity.remove()
    return done.returncode


sys.exit(main())
