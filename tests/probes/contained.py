# Checks of portable mode, in places where full mode cannot be: neighbours of the same user, and what is refused.
# Does not say what rows of the table come to there: portable.py does.
# PARTS is called by run.py in the places of command.PLACES but the first.
import os
import pathlib
import subprocess

import command
import outside


def check_same_user(probes):
    """Portable mode: processes and files of the same user are in sight, and out of reach."""
    identity = probes.identity
    neighbour = subprocess.Popen([*identity.prefix, "sleep", "60"])
    own = identity.path("neighbours")
    own.write_bytes(pathlib.Path(os.environ["PERFJUDGE_PROBES"], "neighbours").read_bytes())
    own.chmod(0o755)
    marker = identity.write("neighbour.txt", "as it was\n")
    if identity.prefix:
        os.chown(own, command.USER_ID, command.USER_ID)
        os.chown(marker, command.USER_ID, command.USER_ID)
    before = [(path.stat().st_mode, path.stat().st_mtime_ns, path.read_bytes()) for path in (own, marker)]
    for profile in ("native", "shell"):
        _, text, done = probes.run([own, neighbour.pid, marker, own], ["--profile", profile])
        probes.equal(f"neighbours are out of reach of {profile}", text, "done\n")
        probes.check(f"neighbours: exit code 0", done.returncode == 0, done.stderr.decode(errors="replace"))
    after = [(path.stat().st_mode, path.stat().st_mtime_ns, path.read_bytes()) for path in (own, marker)]
    probes.check(f"neighbours: files are as they were", before == after)
    neighbour.kill()
    neighbour.wait()


def check_refused(probes):
    """Nothing below portable: where Landlock is missing the refusal says why, and what to do."""
    identity, outer = probes.identity, probes.identity.outer
    identity.outer = [outer[0], "container", "no-landlock", "--"]
    for mode in ("auto", "portable"):
        report, _, done = probes.run(["exit_code", 0], ["--mode", mode])
        said = done.stderr.decode(errors="replace")
        probes.check(f"without Landlock {mode} is refused",
                    report is None and done.returncode == 3 and "Landlock" in said and "lsm=" in said, said)
    identity.outer = outer
    if identity.name == "root":
        identity.prefix = ["setpriv", "--bounding-set=-all"]
        report, _, done = probes.run(["exit_code", 0])
        identity.prefix = []
        probes.check("who may not change its id runs no program as root",
                    report is None and done.returncode == 3 and b"SETUID" in done.stderr, done.stderr)
    report, _, done = probes.run(["exit_code", 0], ["--mode", "full"])
    probes.check(f"full is refused, never replaced", report is None and done.returncode == 3, report)


def only_portable(check):
    """The place `deaf` has full mode, without a listener for held calls."""
    return lambda probes: check(probes) if probes.portable else None


PARTS = [outside.check_files, outside.check_environment, outside.check_inherited, outside.check_two_jails,
         outside.check_exec, outside.check_ignored_signals, outside.check_lower_limits, outside.check_supervisor,
         outside.check_held_streams, outside.check_chain,
         only_portable(check_same_user), only_portable(check_refused), outside.check_killed]
