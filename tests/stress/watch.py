# What a run could leave behind on the host: processes, mounts, groups, namespaces, files; and descriptors of who lives long.
# Ends nothing and starts nothing.
# Used by run.py and calls.py.
import os
import pathlib
import time

import command

NAMESPACES = ("cgroup", "ipc", "mnt", "net", "pid", "user", "uts")


def children(pid):
    """Children of a process, of all its threads."""
    found = []
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            found += [int(child) for child in pathlib.Path(f"/proc/{pid}/task/{task}/children").read_text().split()]
    except OSError:  # it has ended meanwhile
        pass
    return found


def below(pid):
    """Every process below one, nearest first."""
    found = children(pid)
    for child in found:
        found += children(child)
    return found


def name(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return ""


def state(pid):
    try:
        text = pathlib.Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return ""
    return text[text.rindex(")") + 2]


def descriptors(pid):
    try:
        return len(os.listdir(f"/proc/{pid}/fd"))
    except OSError:
        return 0


def reap(keep):
    """Waits for what was left to us and has ended; `keep` are waited for by who started them."""
    for pid in children(os.getpid()):
        if pid not in keep and state(pid) == "Z":
            try:
                os.waitpid(pid, os.WNOHANG)
            except ChildProcessError:
                pass


def time_until_alone(limit, keep=()):
    """(seconds until no process was below us, what is left)"""
    start = time.monotonic()
    while True:
        reap(keep)
        left = {pid: name(pid) for pid in below(os.getpid()) if pid not in keep and state(pid) not in ("Z", "")}
        took = time.monotonic() - start
        if not left or took > limit:
            return took, left
        time.sleep(0.002)


def namespaces():
    """Namespaces in which a process of this host is, by kind."""
    found = {kind: set() for kind in NAMESPACES}
    for entry in os.listdir("/proc"):
        for kind in NAMESPACES if entry.isdigit() else ():
            try:
                found[kind].add(os.stat(f"/proc/{entry}/ns/{kind}").st_ino)
            except OSError:
                pass
    return found


def network_namespaces():
    """How many the kernel has; they go some time after their last process. None: it does not say (not root)."""
    try:
        for line in pathlib.Path("/proc/slabinfo").read_text().splitlines():
            if line.startswith("net_namespace "):
                return int(line.split()[1])
    except OSError:
        pass
    return None


def files(folder):
    return {str(path) for path in pathlib.Path(folder).rglob("*")}


class Before:
    """The host as it was; `problems` says what is different now."""

    def __init__(self, identity):
        self.identity = identity
        self.mounts, self.groups = command.mounts(), command.dead_cgroups()
        self.namespaces, self.networks = namespaces(), network_namespaces()
        self.descriptors = descriptors(os.getpid())
        self.files = files(identity.folder)
        self.host = os.uname().nodename
        self.clock = time.time() - time.monotonic()

    def problems(self, allowed_files=()):
        took, left = time_until_alone(2)
        found = {
            "processes": left,
            "mounts": command.mounts() - self.mounts,
            "cgroup folders": self._groups(),
            "namespaces": self._namespaces(),
            "network namespaces": self._networks(),
            "descriptors of ours": max(0, descriptors(os.getpid()) - self.descriptors),
            "files": {path for path in files(self.identity.folder) - self.files
                      if not any(path.startswith(str(name)) for name in allowed_files)},
            "host name": "" if os.uname().nodename == self.host else os.uname().nodename,
            "clock": "" if abs(time.time() - time.monotonic() - self.clock) < 5 else time.time(),
        }
        return found

    def _groups(self):
        """Those of others who die meanwhile are swept by the next start, theirs or ours."""
        for _ in range(5):
            left = command.dead_cgroups() - self.groups
            if not left:
                break
            self.identity.run("jail", "--report", os.devnull, "--", "/bin/true", timeout=60)
        return left

    def _namespaces(self):
        """In none of those that are new is a process of ours; others may use this host as well."""
        new = {kind: inodes - self.namespaces[kind] for kind, inodes in namespaces().items()}
        ours = {}
        for pid in below(os.getpid()):
            for kind in NAMESPACES:
                try:
                    if os.stat(f"/proc/{pid}/ns/{kind}").st_ino in new[kind]:
                        ours.setdefault(kind, []).append(pid)
                except OSError:
                    pass
        return ours

    def _networks(self):
        """Back to the first number. The kernel's allocator counts what it keeps for the next ones as well, and others
        may use this host: so a little more is said, and only what cannot be either of these is a problem."""
        if self.networks is None:
            return ""
        deadline = time.monotonic() + 5
        while (now := network_namespaces()) > self.networks + 8 and time.monotonic() < deadline:
            time.sleep(0.5)
        print(f"# network namespaces: {self.networks} before, {now} now", flush=True)
        return "" if now <= self.networks + 64 else f"{self.networks} before, {now} now"
