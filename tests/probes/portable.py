# What the probes must come to in portable mode where that is not what they come to in full mode, case by case.
# Holds no logic. Each difference says why; docs/threat-model.md, section "Portable mode", says the same to users.
# Used by run.py.

# name of the row in run.py: what changes in it
NO_CHILDREN = "a program is one process there: a fork is refused with EAGAIN"
NO_FOLDER = "programs have no folder there"
DIFFERENCES = {
    "S05 P11 eight children above the limit": {"wanted": {"ending": "exited", "exit_code": 0}, "why": NO_CHILDREN},
    "S06 orphans spin": {"wanted": {"ending": "wall_limit"}, "options": ["--cpu-ms", 300, "--wall-ms", 300], "why": NO_CHILDREN},
    "S11 P01 four children together": {"wanted": {"ending": "exited"}, "why": NO_CHILDREN},
    "S11 four children together, hidden by name": {"wanted": {"ending": "exited"}, "why": NO_CHILDREN},
    "S11 four children together, hidden by leader": {"wanted": {"ending": "exited"}, "why": NO_CHILDREN},
    "P13 an end just before the wall limit stays one": {"wanted": {"leftover_processes": False}, "why": NO_CHILDREN},
    "S18 P19 quiet daemon": {"wanted": {"leftover_processes": False}, "why": NO_CHILDREN},
    "P28 a call from a child": {"wanted": {"ending": "exited", "exit_code": 1, "blocked_call": None}, "why": NO_CHILDREN},
    "S13 files beyond the memory limit": {"wanted": {"ending": "exited"}, "why": NO_FOLDER},
    "P07 files in /box are memory": {"output": "EACCES", "why": NO_FOLDER},
    "S15 forks": {"output": "0\n", "why": NO_CHILDREN},
    "S13 P38 disk": {"output": "EACCES", "why": NO_FOLDER},
    "S24 P38 files": {"output": "EACCES", "why": NO_FOLDER},
    "S25 sparse file": {"output": "EACCES", "why": NO_FOLDER},
    "S40 honest work": {"output": "recursion 0\nmapped 0\ntime 1\ninput 0\n", "why": NO_FOLDER},
    "P41 quiet refusals": {"output": None, "why": "pids are those of the host"},
}

# The same where programs may start others and write files: the profiles compile and shell have one private folder.
SHELL = ["--profile", "shell"]
IN_A_FOLDER = [
    ("folder: S05 eight children below the limit", ["spin", 8, 50], [*SHELL, "--cpu-ms", 2000, "--wall-ms", 20000],
     {"ending": "exited", "exit_code": 0}, None),
    ("folder: S05 eight children above the limit", ["spin", 8, 400], [*SHELL, "--cpu-ms", 1000, "--wall-ms", 20000],
     {"ending": "cpu_limit"}, None),
    ("folder: S07 deaf to SIGXCPU", ["spin", 1, 10000], [*SHELL, "--cpu-ms", 300, "--wall-ms", 8000],
     {"ending": "cpu_limit"}, None),
    ("folder: S06 orphans spin", ["spin", 2, 10000, "orphans"], [*SHELL, "--cpu-ms", 300, "--wall-ms", 8000],
     {"ending": "cpu_limit"}, None),
    ("folder: S11 four children together", ["touch_memory", 26, 4], [*SHELL, "--memory-mib", 64, "--wall-ms", 10000],
     {"ending": "memory_limit"}, None),
    *((f"folder: S11 four children together, hidden by {how}", ["hide_memory", how, 26],
       [*SHELL, "--memory-mib", 64, "--wall-ms", 10000], {"ending": "memory_limit"}, None) for how in ("name", "leader")),
    ("folder: S15 forks", ["fork_until_refused"], [*SHELL, "--processes", 10], {"ending": "exited"}, "9\n|10\n"),
    ("folder: S18 quiet daemon", ["daemon", "quiet"], SHELL,
     {"ending": "exited", "exit_code": 0, "leftover_processes": True}, "answer\n"),
    ("folder: S19 daemon holds the streams", ["daemon", "loud"], SHELL, {"ending": "exited", "exit_code": 0}, "answer\n"),
    ("folder: S13 one large file", ["fill_disk", "bytes"], [*SHELL, "--files-mib", 4], {"ending": "exited"}, "EFBIG"),
    ("folder: S13 the sum of files", ["fill_disk", "bytes"], [*SHELL, "--files-mib", 16],
     {"ending": "output_limit", "limits_hit": ["disk"]}, None),
    ("folder: S24 files", ["fill_disk", "files"], [*SHELL, "--inodes", 100],
     {"ending": "output_limit", "limits_hit": ["inodes"]}, None),
    ("folder: S25 sparse file", ["fill_disk", "sparse"], [*SHELL, "--files-mib", 4], {"ending": "exited"}, "EFBIG"),
    ("folder: S40 honest work", ["honest_work"], [*SHELL, "--memory-mib", 256], {"ending": "exited", "exit_code": 0},
     "recursion 0\nmapped 1\ntime 1\ninput 0\n"),
]

# A filter around ours refuses these itself, and a refusal goes before a held call: they fail, but nobody names them.
# Without a listener our filter kills, and a kill goes before a refusal.
REFUSED_OUTSIDE = set(
    "kcmp unshare setns mount umount2 pivot_root chroot open_tree move_mount fsopen mount_setattr bpf perf_event_open "
    "keyctl add_key request_key sethostname clone-newuser clone-newns clone-newpid clone-newnet clone-newipc "
    "clone-newuts clone-newcgroup".split())


def row_in(place, row):
    """The row as it must be in `place`: host or deaf (full mode), container or older (portable mode)."""
    name, words, options, wanted, output = row
    if place in ("deaf", "older"):
        wanted = without_listener(name, wanted)
    if place in ("host", "deaf"):
        return name, words, options, {**wanted, "mode": "full"}, output
    change = DIFFERENCES.get(name, {})
    wanted = {**wanted, **change.get("wanted", {}), "mode": "portable"}
    options = change.get("options", options)
    output = change.get("output", output)
    call = words[-1] if words[0] == "forbidden_call" else f"clone-{words[-1]}" if words[0] == "high_bits" else ""
    if place == "container" and call in REFUSED_OUTSIDE:
        wanted |= {"ending": "exited", "exit_code": 0, "blocked_call": None}
        output = "EPERM\n"
    return name, words, options, wanted, output


def without_listener(name, wanted):
    wanted = {**wanted, "blocked_call_kind": "killed"}
    if wanted.get("ending") == "policy_violation":
        wanted["blocked_call"] = "unknown"
    if name == "P28 a call from a child":  # a kill ends the child only, and its parent goes on
        wanted |= {"ending": "exited", "exit_code": wanted.get("exit_code") or 0, "blocked_call": None}
    if name == "S02 P23 31":  # what the filter does to a process, done by the process
        wanted |= {"ending": "policy_violation", "signal": None, "blocked_call": "unknown"}
    return wanted
