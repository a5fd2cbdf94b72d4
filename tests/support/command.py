# Runs the perfjudge program as root or as an ordinary user, and looks for what a run left behind.
# Knows nothing of verdicts.
# Used by the Python drivers of the suites live, hostile and e2e.
import ctypes
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import time

# Belongs to nobody on a usual host. Another one for another driver: in portable mode the kernel counts processes by user.
USER_ID = 64000 + os.getpid() % 1000
PR_SET_CHILD_SUBREAPER = 36
# In front of a command: it sees a host that lends no control groups.
HIDE_CGROUPS = ("unshare", "--mount", "--propagation", "private", "sh", "-c",
                'umount -R /sys/fs/cgroup 2>/dev/null; exec "$@"', "sh")


def become_subreaper():
    """Whatever a killed program leaves behind becomes our child, so that it can be seen."""
    if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl")


def process_table():
    """pid -> (parent, name, state) of every process that can be seen."""
    table = {}
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        try:
            text = pathlib.Path("/proc", entry, "stat").read_text(errors="replace")
        except OSError:
            continue
        name = text[text.index("(") + 1:text.rindex(")")]
        state, parent = text[text.rindex(")") + 2:].split()[:2]
        table[int(entry)] = (int(parent), name, state)
    return table


def descendants(root=None):
    """Processes below `root` (us), zombies of ours reaped first."""
    root = root or os.getpid()
    table = process_table()
    found, wanted = {}, {root}
    while True:
        more = {pid for pid, row in table.items() if row[0] in wanted and pid not in found}
        if not more:
            return found
        found.update({pid: table[pid] for pid in more})
        wanted = more


def helpers():
    """Our long-lived perfjudge-jail processes; their short-lived children have the same name."""
    table = descendants()
    return [pid for pid, (parent, name, _) in table.items()
            if name == "perfjudge-jail" and table.get(parent, (0, "", ""))[1] == "perfjudge"]


def reap_orphans(keep=()):
    """Waits for adopted children that have ended; `keep` are waited for by their owner."""
    for pid, (parent, _, state) in descendants().items():
        if parent == os.getpid() and state == "Z" and pid not in keep:
            try:
                os.waitpid(pid, os.WNOHANG)
            except ChildProcessError:
                pass


def wait_until_alone(milliseconds, keep=()):
    """Processes still below us after so long; empty as soon as there is none."""
    deadline = time.monotonic() + milliseconds / 1000
    while True:
        reap_orphans(keep)
        left = {pid: row for pid, row in descendants().items() if pid not in keep and row[2] != "Z"}
        if not left or time.monotonic() >= deadline:
            return left
        time.sleep(0.005)


def mounts():
    """Those of firejail are left out: tools/bench measures it, and it leaves some for good on its first run."""
    lines = pathlib.Path("/proc/self/mountinfo").read_text().splitlines()
    return {" ".join(line.split()[3:5]) for line in lines if "/run/firejail/" not in line}


def own_groups():
    """Folders of the groups that this process is in: what we start makes its own below them."""
    found = set()
    for line in pathlib.Path("/proc/self/cgroup").read_text().splitlines():
        _, names, path = line.split(":", 2)
        for mount in ("unified", ".") if names == "" else {names, *names.split(",")}:
            folder = pathlib.Path("/sys/fs/cgroup", mount, path.strip("/"))
            found |= {folder, folder.parent} if folder.name == "perfjudge-host" else {folder}
    return found


def dead_cgroups():
    """Groups of ours whose makers are gone: perfjudge-BOOT-NAMESPACE-PID-START. A pid of another pid
    namespace (a container beside us) means nothing here, and neighbours' groups are not ours to sweep."""
    namespace = str(os.stat("/proc/self/ns/pid").st_ino)
    found = set()
    names = [base / name for base in own_groups() if base.is_dir() for name in os.listdir(base)]
    for folder in (one for one in names if len(one.name.split("-")) == 5 and one.name.startswith("perfjudge-")):
        parts = folder.name.split("-")
        if parts[2] == namespace and not pathlib.Path("/proc", parts[3]).exists():
            found.add(str(folder))
    return found


# Where the program runs: on this host as it is, or behind tests/support/outer_filter.cpp with these options.
PLACES = {"host": None, "container": ["container"], "older": ["container", "landlock=1"], "deaf": ["no-listener"]}


class Identity:
    """Who runs the program, in a folder of their own."""

    def __init__(self, name, source_root, program, place="host"):
        self.name = name
        self.outer = []
        if PLACES[place] is not None:
            self.outer = [os.environ["PERFJUDGE_OUTER_FILTER"], *PLACES[place], "--"]
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix=f"perfjudge-test-{name}-"))
        self.folder.chmod(0o755)
        self.source_root, self.program = pathlib.Path(source_root), pathlib.Path(program)
        self.real_root = self.source_root  # by which we, not always they, can read the tree
        self.show, self.hide, self.prefix = [], [], []
        if name == "user":
            self._become_user()
        if name == "bare":
            self.hide = list(HIDE_CGROUPS)

    def _become_user(self):
        os.chown(self.folder, USER_ID, USER_ID)
        self.prefix = ["setpriv", "--reuid", str(USER_ID), "--regid", str(USER_ID), "--clear-groups"]
        probe = self.prefix + ["test", "-x", str(self.program), "-a", "-r", str(self.source_root / "tasks")]
        if subprocess.run(probe, check=False).returncode == 0:
            return
        # The tree lies in a folder that others cannot enter: show it elsewhere, to this run only.
        shown = pathlib.Path(tempfile.mkdtemp(prefix="perfjudge-tree-"))
        shown.chmod(0o755)
        self.shown = shown
        script = 'mount --bind "$1" "$2" && shift 2 && exec "$@"'
        self.show = ["unshare", "--mount", "--propagation", "private", "sh", "-c", script, "sh",
                     str(self.source_root), str(shown)]
        self.program = shown / self.program.relative_to(self.source_root)
        self.source_root = shown

    def inside(self, path):
        """The name by which this identity sees a file of the tree."""
        return self.source_root / path.relative_to(self.real_root) if self.show else path

    def path(self, name):
        return self.folder / name

    def write(self, name, data):
        path = self.path(name)
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        path.chmod(0o644)
        return path

    def environment(self, **more):
        keep = {name: os.environ[name] for name in ("PATH", "LANG", "LC_ALL") if name in os.environ}
        keep.setdefault("PATH", "/usr/bin:/bin")
        return keep | {"HOME": str(self.folder), "TMPDIR": str(self.folder)} | more

    def command(self, *arguments, between=()):
        """The command line; `between` runs as we are, in front of the change to the identity."""
        return [*self.show, *self.outer, *self.hide, *between, *self.prefix, str(self.program), *map(str, arguments)]

    def run(self, *arguments, timeout=600, environment=None, between=()):
        return subprocess.run(self.command(*arguments, between=between), cwd=self.folder, timeout=timeout,
                              env=environment or self.environment(), stdin=subprocess.DEVNULL,
                              capture_output=True, check=False)

    def start(self, *arguments):
        return subprocess.Popen(self.command(*arguments), cwd=self.folder, env=self.environment(),
                                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def remove(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        if hasattr(self, "shown"):
            self.shown.rmdir()


def identities(source_root, program, place="host", bare=False):
    """Root and an ordinary user where we are root, else whoever we are; `bare`: also root on a host
    without control groups."""
    if os.geteuid() != 0:
        return [Identity("self", source_root, program, place)]
    found = [Identity(name, source_root, program, place) for name in (("root", "bare") if bare else ("root",))]
    if shutil.which("setpriv") is not None:
        found.append(Identity("user", source_root, program, place))
    return found


def json_lines(path):
    return [json.loads(line) for line in pathlib.Path(path).read_bytes().decode().splitlines()]
