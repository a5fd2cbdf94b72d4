# Checks of jails that one report cannot show: what others see while a program runs, two runs together, what is left.
# Does not start programs itself: probes.py does.
# PARTS is called by run.py, once for each way of running.
import os
import pathlib
import pty
import secrets
import shutil
import signal
import subprocess
import time

import command

MIB = 1 << 20


def wait_for(found, seconds=10):
    """What found() gives as soon as it is something, else its last answer."""
    deadline = time.monotonic() + seconds
    while True:
        answer = found()
        if answer or time.monotonic() > deadline:
            return answer
        time.sleep(0.01)


def named(name):
    return [pid for pid, row in command.descendants().items() if row[1] == name and row[2] != "Z"]


def stop(process):
    """Ends a run that we started, by its own process."""
    process.kill()
    process.wait(timeout=30)
    command.wait_until_alone(2000)


def read(path):
    try:
        return pathlib.Path(path).read_text(errors="replace")
    except OSError:
        return ""


def check_files(probes):
    identity = probes.identity
    secret = secrets.token_hex(16)
    marker = identity.write("marker.txt", f"{secret}\n")
    _, text, _ = probes.run(["read_marker", marker])
    probes.equal("S26 nothing of the host can be read", text, "")
    _, text, _ = probes.run(["write_everywhere", marker])
    probes.equal("S27 nothing outside /box can be changed", text, "")
    probes.equal("S27 the marker is as it was", marker.read_text(), f"{secret}\n")
    for _ in range(2):
        _, text, _ = probes.run(["plant_marker"], probes.with_folder())
        probes.check("S29 P37 no marker of an earlier run", "FOUND" not in text and "planted" in text, text)


def check_environment(probes):
    secret = secrets.token_hex(16)
    _, text, _ = probes.run(["environment"], PERFJUDGE_PROBE_SECRET=secret)
    lines = text.splitlines()
    probes.check("S31 environment", not any(secret in line or "HOME" in line for line in lines), text)
    probes.check("S31 never uid 0", "UID 0 0" not in lines and any(line.startswith("UID ") for line in lines), text)
    # Portable mode: the host's name is the host's, its root too; that may not be listed.
    probes.check("S31 host name is the jail's own", (f"HOST {os.uname().nodename}" in lines) == probes.portable, text)
    probes.check("S31 the program is not pid 1", "PID1 0" in lines, text)
    probes.check("P40 the working folder is the jail's own", probes.portable or "FOLDER /box" in lines, text)
    roots = {line.split()[1]: int(line.split()[2]) for line in lines if line.startswith("ROOT ")}
    shown = {name for name, entries in roots.items() if entries > 2}  # more than . and ..
    only = roots == {} if probes.portable else "box" in roots and shown <= {"dev", "program"}
    probes.check("S31 the root folder shows the program only", only, roots)
    _, text, _ = probes.run(["environment"], ["--env", "A=b", "--env", "EMPTY="])
    given = [line for line in text.splitlines() if line.startswith("ENV ")]
    probes.equal("S31 declared variables, and no other", given, ["ENV A=b", "ENV EMPTY="])
    _, text, _ = probes.run(["signal_others"], ["--cpu-ms", 5000])
    seen = [line for line in text.splitlines() if line.startswith("SEEN")]
    may_see = set() if probes.portable else {"SEEN 1"}
    probes.check("S34 P50 only init can be seen", set(seen) <= may_see and "alive" in text, text)


def check_terminal(probes):
    """S39, P33: the caller has a controlling terminal; the program gets none."""
    arguments = probes.identity.command(*probes.arguments([], ["environment"]))
    probes.result()
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(probes.identity.folder)
        os.execvpe(arguments[0], arguments, probes.identity.environment())
    try:
        while os.read(terminal, 4096):
            pass
    except OSError:  # the other side is closed
        pass
    os.close(terminal)
    os.waitpid(child, 0)
    _, text = probes.result()
    probes.check("S39 P33 no controlling terminal", "SESSION 1" in text.splitlines()
                 and ("TERMINAL ENOENT" in text or "TERMINAL ENXIO" in text), text)


def check_inherited(probes):
    """P40: a folder that the caller left open."""
    folder = os.open("/", os.O_RDONLY | os.O_DIRECTORY)
    os.set_inheritable(folder, True)
    probes.result()
    subprocess.run(probes.identity.command(*probes.arguments([], ["descriptors"])), cwd=probes.identity.folder,
                   env=probes.identity.environment(), stdin=subprocess.DEVNULL, close_fds=False, timeout=60, check=False)
    os.close(folder)
    report, text = probes.result()
    probes.check("P40 S30 a folder left open by the caller does not arrive", report is not None and text == "", text)


def check_two_jails(probes):
    """Two jails at their limits do not take from each other."""
    options = [*probes.with_folder(), "--processes", 12]
    running = [probes.start(["fork_until_refused"], options, f"two-{n}") for n in range(2)]
    for process in running:
        process.wait(timeout=60)
    counts = [probes.result(f"two-{n}")[1].strip() for n in range(2)]
    # Portable mode as an ordinary user: both count as that user, so that one may be refused earlier.
    fine = {"11", "12"} if probes.identity.name != "user" or not probes.portable else {str(n) for n in range(13)}
    probes.check("S16 P26 two jails reach their own limits", set(counts) <= fine, counts)


def check_limits_inside(probes):
    asked = ["--cpu-ms", 3000, "--memory-mib", 48, "--files-mib", 3, "--processes", 9]
    _, text, _ = probes.run(["read_limits"], asked)
    rows = dict(line.split(" ", 1) for line in text.splitlines())
    wanted = {"core": "1", "memlock": "0", "files": "64", "file_size": str(3 * MIB), "stack": str(48 * MIB), "cpu": "5",
              "space": "unlimited", "queues": "0", "signals": "64"}
    probes.equal("P39 P53 limits read back inside are those that were asked for",
                 {name: rows.get(name) for name in wanted}, wanted)
    probes.check("P39 no soft limit below a hard one", "SOFT" not in rows, text)
    if probes.sampled:
        probes.equal("P39 without a group, data is bounded by the limit of its process", rows.get("data"),
                     str(16 * 48 * MIB))
    else:
        probes.equal("P39 in a group, data is not bounded a second time", rows.get("data"), "unlimited")


def check_exec(probes):
    """S03: what cannot be executed is an error that names the reason, and never a result."""
    identity = probes.identity
    shell = pathlib.Path("/bin/sh").read_bytes()
    loader = b"/lib64/ld-linux-x86-64.so.2"
    bad = {"a missing file": (identity.path("nothing"), "No such file"), "a folder": ("/usr", "not a regular file"),
           "a text": (identity.write("text", "no interpreter\n"), "Exec format error"),
           "a missing interpreter": (identity.write("script", "#!/no/such/interpreter\n"), "No such file"),
           "a missing loader": (identity.write("lost", shell.replace(loader, loader[:-1] + b"9")), "is not on this host"),
           "half a program": (identity.write("half", shell[:100]), "damaged"),
           "a device": ("/dev/zero", "not a regular file")}
    for name, (path, words) in bad.items():
        if identity.folder in pathlib.Path(path).parents and pathlib.Path(path).exists():
            pathlib.Path(path).chmod(0o755)
        done = identity.run("jail", "--report", identity.path("run.json"), "--", path, timeout=60)
        said = done.stderr.decode(errors="replace")
        report, _ = probes.result()
        probes.check(f"S03 exec of {name}", done.returncode in (2, 3) and report is None and words in said,
                     f"exit code {done.returncode}, report {report}\n{said}")


def check_ignored_signals(probes):
    """Signals that whoever starts us ignores are ignored by no program, and ends are seen."""
    identity = probes.identity
    before, identity.prefix = identity.prefix, [*identity.prefix, "env", "--ignore-signal=CHLD,HUP,TERM"]
    for words, wanted in ((["exit_code", 3], ("exited", 3, None)), (["raise_signal", 1], ("signaled", None, 1)),
                          (["raise_signal", 15], ("signaled", None, 15))):
        report, _, done = probes.run(words, ["--wall-ms", 2000])
        found = tuple((report or {}).get(key) for key in ("ending", "exit_code", "signal"))
        probes.equal(f"P40 signals ignored by the caller: {' '.join(map(str, words))}", found, wanted)
    identity.prefix = before


def check_lower_limits(probes):
    """A host whose own limits are lower than ours, and may not be raised, is one where programs have less."""
    identity = probes.identity
    before, identity.prefix = identity.prefix, [*identity.prefix, "prlimit", "--stack=8388608", "--"]
    report, _, done = probes.run(["exit_code", 3], ["--wall-ms", 2000])
    found = (report or {}).get("exit_code")
    probes.check("P12 lower limits of the host stay", found == 3, done.stderr.decode(errors="replace"))
    identity.prefix = before


def check_results(probes):
    """S28, P35, P36: results are taken by descriptor; nothing that a program left leads the reader away."""
    secret = secrets.token_hex(16)
    marker = probes.identity.write("marker.txt", f"{secret}\n")
    helper = pathlib.Path(probes.identity.program).parent.parent / "sandbox" / "helper" / "perfjudge-jail"
    words = [str(probes.folder / "take_results"), str(helper), str(probes.folder / "leave_results"), str(marker)]
    done = subprocess.run([*probes.identity.show, *probes.identity.hide, *probes.identity.prefix, *words],
                          cwd=probes.identity.folder, env=probes.identity.environment(), stdin=subprocess.DEVNULL,
                          capture_output=True, timeout=60, check=False)
    text = done.stdout.decode(errors="replace")
    rows = dict(line.split(": ", 1) for line in text.splitlines() if ": " in line)
    taken = {name: row for name, row in rows.items() if row != "refused"}
    probes.check("S28 P35 P36 regular files are taken, everything else is refused",
                 "exit 0" in text.splitlines() and len(rows) == 15
                 and taken == {"regular": 'taken "result"', "unreadable": 'taken "mine"'}, text)
    probes.check("S28 P35 the marker's text is nowhere", secret not in text, text)


def check_cached_file(probes):
    """P07: pages of files that a program reads are the host's."""
    large = probes.identity.path("read_large")
    shutil.copyfile(probes.real_folder / "read_file", large)
    large.chmod(0o755)
    with large.open("ab") as file:
        file.truncate(200 * MIB)
    done = probes.identity.run(*["jail", "--memory-mib", 64, "--cpu-ms", 5000, "--report",
                                 probes.identity.path("run.json"), "--stdout", probes.identity.path("run.txt"), "--",
                                 large, "/program/read_large"], timeout=60)
    report, text = probes.result()
    probes.check("P07 reading 200 MB does not raise the peak", report is not None and text == "200\n"
                 and report["ending"] == "exited" and report["peak_memory_bytes"] < 20 * MIB,
                 f"{report} {text} {done.stderr.decode(errors='replace')}")


def check_supervisor(probes):
    """P43: the supervisor keeps what the limit allows and no more (largest of `perfjudge` and its helper)."""
    sizes = {}
    for name, words in (("little", ["exit_code", 0]), ("flood", ["flood", 1, 100, MIB])):
        process = probes.start(words, ["--output-bytes", 65536])
        _, _, usage = os.wait4(process.pid, 0)
        process.returncode = 0
        sizes[name] = usage.ru_maxrss
    probes.result()
    probes.check("S21 P43 the supervisor's memory is flat", sizes["flood"] < sizes["little"] + 4096, f"KiB: {sizes}")


def check_groups(probes):
    """P04, P06: the program is in the group with the limit, who watches it is not; swap is in the limit."""
    process = probes.start(["spin", 1, 9000], ["--cpu-ms", 9000, "--memory-mib", 64])
    pids = wait_for(lambda: named("spin"))
    helper = command.helpers()
    if not probes.check("P04 the run starts", len(pids) > 0 and len(helper) == 1, command.descendants()):
        return stop(process)
    init = [pid for pid, row in command.descendants().items() if row[0] == helper[0]]

    unified = not pathlib.Path("/sys/fs/cgroup/memory").exists()

    def memory_group(pid):
        for line in read(f"/proc/{pid}/cgroup").splitlines():
            number, names, path = line.split(":", 2)
            if "memory" in names.split(",") or (number, names) == ("0", "") and unified:
                return path
        return ""

    groups = {pid: memory_group(pid) for pid in [*pids, *helper, *init]}
    if probes.sampled:  # no group: nothing that could kill who watches
        probes.check("P04 no process is in a group of ours", not any("perfjudge-" in group for group in groups.values()),
                     groups)
    else:
        probes.check("P04 the program is in the limited group, helper and init are not",
                     all("perfjudge-" in groups[pid] for pid in pids)
                     and not any("perfjudge-" in groups[pid] for pid in [*helper, *init]), groups)
        check_swap(probes, groups[pids[0]])
    return stop(process)


def check_swap(probes, group):
    """P06: memory and swap together. Where the kernel has no account of swap, our readings count it."""
    for name, limit in (("memory/{}/memory.memsw.limit_in_bytes", 64 * MIB), ("{}/memory.swap.max", 0),
                        ("unified/{}/memory.swap.max", 0)):
        text = read("/sys/fs/cgroup/" + name.format(group.lstrip("/")))
        if text:
            probes.equal("P06 swap does not extend the limit", text.strip(), str(limit))
            return
    swap = len(read("/proc/swaps").splitlines()) > 1
    stat = read(f"/sys/fs/cgroup/memory/{group.lstrip('/')}/memory.stat")
    probes.check("P06 swap is in no account, but is counted or absent", not swap or "swap " in stat, stat)


def check_filter_on_all(probes):
    """P34: every process of the jail but init has the filter and can gain nothing; nobody joins later."""
    process = probes.start(["spin", 3, 9000, "orphans"], ["--cpu-ms", 9000])
    pids = wait_for(lambda: named("spin") if len(named("spin")) >= 4 else [])
    states = {}
    for pid in pids:
        rows = dict(line.split(":\t", 1) for line in read(f"/proc/{pid}/status").splitlines() if ":\t" in line)
        states[pid] = {key: rows.get(key) for key in ("Seccomp", "NoNewPrivs", "CapEff", "CapPrm", "CapBnd", "CapAmb")}
    none = "0" * 16
    wanted = {"Seccomp": "2", "NoNewPrivs": "1", "CapEff": none, "CapPrm": none, "CapBnd": none, "CapAmb": none}
    probes.check("P34 filter, no new privileges and no capability on every process",
                 len(states) >= 4 and all(state == wanted for state in states.values()), states)
    stop(process)


def check_neighbours(probes):
    """P09, P17: others that spin change neither a verdict nor what is charged."""
    spinners = [probes.start(["spin", 2, 9000], ["--cpu-ms", 10000], f"neighbour-{n}") for n in range(2)]
    wait_for(lambda: len(named("spin")) >= 4)
    report, _, _ = probes.run(["wait", "sleep"], ["--wall-ms", 400])
    probes.check("P17 a sleeper is not charged for its neighbours", report is not None
                 and report["ending"] == "wall_limit" and report["cpu_ms"] < 50, report)
    for words, options, ending in ((["spin", 0, 10000], ["--cpu-ms", 100, "--wall-ms", 20000], "cpu_limit"),
                                   (["touch_memory", 90], ["--memory-mib", 64, "--cpu-ms", 5000], "memory_limit"),
                                   (["touch_memory", 40], ["--memory-mib", 64, "--cpu-ms", 5000], "exited")):
        report, _, _ = probes.run(words, options)
        probes.equal(f"P09 under load {words[0]} {words[1]} ends as ever", (report or {}).get("ending"), ending)
    for spinner in spinners:
        stop(spinner)


def check_killed(probes):
    """S20: whoever of ours is killed, nothing is left 200 ms later."""
    rounds = [(victim, probes.with_folder(), 1) for victim in ("perfjudge", "helper", "init")]
    if probes.portable:
        rounds.append(("helper", [], 0))
    for victim, profile, children in rounds:
        process = probes.start(["spin", children, 9000], [*profile, "--wall-ms", 20000, "--cpu-ms", 10000])
        names = wait_for(lambda: named("spin")) and command.descendants()
        pids = {"perfjudge": named("perfjudge"), "helper": command.helpers(),
                "init": [pid for pid, row in (names or {}).items() if row[0] in command.helpers()]}[victim]
        if probes.check(f"S20 {victim} can be found", len(pids) > 0, names):
            os.kill(pids[0], signal.SIGKILL)
            keep = () if victim == "perfjudge" else (process.pid,)
            if victim == "init":  # the helper lives, and says so
                process.wait(timeout=30)
                probes.check("S20 a run whose init was killed has no report",
                             process.returncode == 3 and probes.result()[0] is None, process.returncode)
            left = command.wait_until_alone(200, keep=keep)
            probes.equal(f"S20 P19 nothing is left 200 ms after {victim} was killed", left, {})
        stop(process)
    # The next start removes what the dead left: empty cgroup folders, and private folders.
    probes.run(["exit_code", 0], probes.with_folder())
    left = [path.name for path in probes.identity.folder.iterdir() if path.name.startswith("perfjudge-")]
    probes.equal("S20 no private folder is left", left, [])


def check_held_streams(probes):
    """S19: the end of a run does not wait for whoever holds its streams."""
    start = time.monotonic()
    probes.run(["daemon", "loud"])
    took = time.monotonic() - start
    probes.check("S19 P22 returns although a daemon holds the streams", took < 3, f"{took:.2f} s")


def check_chain(probes):
    """S18: nobody escapes by forking faster than a list of processes can be read."""
    for words, ending in ((["fork_chain"], "exited"), (["fork_chain", "stay"], "wall_limit")):
        for _ in range(5):
            report, _, done = probes.run(words, [*probes.with_folder(), "--wall-ms", 200, "--cpu-ms", 5000])
            left = command.wait_until_alone(200)
            found = (report or {}).get("ending")
            probes.check(f"S18 {' '.join(words)}: {ending}, and nobody is left", found == ending and left == {},
                         f"{left}\n{report}\n{done.stderr.decode(errors='replace')}")


def check_honest(probes):
    """S40: long input, and an interpreter of the host under its profile."""
    identity = probes.identity
    long_input = identity.write("long.txt", b"x" * MIB)
    _, text, _ = probes.run(["honest_work"], ["--stdin", long_input, "--memory-mib", 256])
    probes.check("S40 1 MB of input", f"input {MIB}" in text, text)
    python = shutil.which("python3", path="/usr/bin")
    words = ["jail", "--profile", "python", "--cpu-ms", 5000, "--report", identity.path("run.json"), "--stdout",
             identity.path("run.txt"), "--", python, "-S", "-s", "-P", "-c",
             "import json, threading; print(json.dumps([threading.active_count()]))"]
    done = identity.run(*words, timeout=60)
    report, text = probes.result()
    probes.check("S40 python", report is not None and report["ending"] == "exited" and text == "[1]\n",
                 f"{report} {text} {done.stderr.decode(errors='replace')}")


COMPILER_SEES = ("/usr/bin/", "/usr/lib/gcc", "/usr/libexec/gcc", "/usr/include", "/usr/lib/x86_64-linux-gnu",
                 "/usr/lib64", "/dev/null", "/tmp", "/lib", "/lib64", "/bin")
TOOLS = {"g++", "gcc", "as", "ld", "ar", "objcopy", "strip"}


def check_compiler(probes):
    """C01 to C03, P57: the compile profile shows the toolchain and nothing else."""
    identity = probes.identity
    shown = identity.run("jail", "--profile", "compile", "--explain", "--", "/usr/bin/g++", timeout=60)
    rows = [line.split()[1] for line in shown.stdout.decode().splitlines() if line.startswith(("read-only ", "link "))]
    tools = {pathlib.Path(row).name.removeprefix("x86_64-linux-gnu-") for row in rows if row.startswith("/usr/bin/")}
    tools = {name.split("-")[0].removesuffix(".bfd") for name in tools}
    probes.check("C03 P57 the compile profile shows the toolchain only", len(rows) > 8
                 and all(row.startswith(COMPILER_SEES) for row in rows) and tools == TOOLS, f"{tools}\n{rows}")
    secret = secrets.token_hex(16)
    marker = identity.write("secret.h", f"#error {secret}\n")
    paths = ["/etc/passwd", "/etc/hostname", "/etc/shadow", "/proc/self/maps", "/proc/version", "/sys/kernel/notes",
             "/dev/zero", "/root/.profile", "/home", "/usr/share/doc", "/usr/bin/python3", "/usr/lib/os-release", marker]
    source = "".join(f'#if __has_include("{path}")\nSEEN {path}\n#endif\n' for path in paths) + "int sentinel;\n"
    unit = identity.write("unit.cpp", source)
    done = identity.run("jail", "--profile", "compile", "--cpu-ms", 10000, "--report", identity.path("run.json"),
                        "--stdout", identity.path("run.txt"), "--file", f"unit.cpp={unit}", "--env", "PATH=/usr/bin", "--",
                        "/usr/bin/g++", "-E", "-P", "unit.cpp", timeout=60)
    report, text = probes.result()
    probes.check("C03 P57 no path of the host exists for the compiler", report is not None
                 and "int sentinel;" in text and "SEEN" not in text, f"{report}\n{text}\n{done.stderr.decode()}")


PARTS = (check_files, check_environment, check_terminal, check_inherited, check_two_jails, check_limits_inside,
         check_exec, check_ignored_signals, check_lower_limits, check_results, check_cached_file, check_supervisor, check_groups, check_filter_on_all,
         check_neighbours, check_held_streams, check_chain, check_honest, check_compiler, check_killed)
