# What attacks come to in portable mode (behind a container's filter) where that is not what their heads say.
# Holds no logic. Each difference says why; docs/threat-model.md, section "Portable mode", says the same to users.
# Used by run.py.
NO_CHILDREN = "a program is one process: a fork is refused with EAGAIN"
DIFFERENCES = {
    "AC/A18-counts-in-pids.cpp": {
        "verdict": "WA", "reasons": ["value"], "why": "pids are the host's: a case sees another number each time"},
    "AC/A19-daemon.cpp": {"run_flags": set(), "why": NO_CHILDREN},
    "AC/A19-daemon.py": {"verdict": "RTE", "reasons": ["exception"], "run_flags": set(), "why": NO_CHILDREN},
    "AC/A31-edits-the-task.py": {
        "verdict": "RTE", "reasons": ["exception"], "why": "programs have no folder, and may list none"},
    "AC/C03-has-include.cpp": {
        "verdict": "CE", "reasons": ["refused"],
        "why": "that a file exists is visible: cc1plus may not open it and stops, where in full mode it is not there"},
    "SV/A27-namespace.cpp": {
        "verdict": "AC", "reasons": None, "why": "the outer filter refuses the call itself, so that ours cannot hold it"},
    "TLE/A25-children-spin.cpp": {"verdict": "AC", "reasons": None, "why": NO_CHILDREN},
}
