# What each probe must come to in a jail: one row per check, read by run.py and docs_test.py.
# Runs nothing.
# The tables SAMPLED and KNOWN say where a host without control groups, or our own code, differs and why.
MIB = 1 << 20

# name of the check, program, arguments, options of `perfjudge jail`, what the report must say, output
EXITS = [(f"S01 exit with {n}", ["exit_code", n], [], {"ending": "exited", "exit_code": n}, None)
         for n in (0, 1, 42, 126, 127, 137, 139, 255)]
SIGNALS = [(f"S02 P23 {how}", ["raise_signal", how], [], {"ending": "signaled", "signal": number}, None)
           for how, number in (("abort", 6), ("11", 11), ("divide", 8), ("illegal", 4), ("null", 11), ("9", 9),
                               ("31", 31), ("2", 2), ("13", 13), ("15", 15), ("64", 64))]
TIMES = [
    ("S04 busy loop", ["spin", 0, 10000], ["--cpu-ms", 300], {"ending": "cpu_limit"}, None),
    ("S05 eight children below the limit", ["spin", 8, 50], ["--cpu-ms", 2000, "--wall-ms", 20000],
     {"ending": "exited", "exit_code": 0}, None),
    ("S05 P11 eight children above the limit", ["spin", 8, 400], ["--cpu-ms", 1000, "--wall-ms", 20000],
     {"ending": "cpu_limit"}, None),
    ("S06 orphans spin", ["spin", 2, 10000, "orphans"], ["--cpu-ms", 300, "--wall-ms", 8000],
     {"ending": "cpu_limit"}, None),
    ("S07 deaf to SIGXCPU", ["spin", 0, 10000], ["--cpu-ms", 300, "--wall-ms", 8000],
     {"ending": "cpu_limit"}, None),
    ("S08 sleep", ["wait", "sleep"], ["--wall-ms", 300], {"ending": "wall_limit"}, None),
    ("S08 blocked read", ["wait", "read"], ["--wall-ms", 300], {"ending": "wall_limit"}, None),
    ("S08 lock", ["wait", "futex"], ["--wall-ms", 300], {"ending": "wall_limit"}, None),
    ("S08 P15 stopped", ["wait", "stop"], ["--wall-ms", 300], {"ending": "wall_limit"}, None),
    ("S09 deaf to all signals", ["wait", "deaf"], ["--wall-ms", 300], {"ending": "wall_limit"}, None),
    ("P10 a wall limit without asking for one", ["wait", "sleep"], ["--cpu-ms", 50], {"ending": "wall_limit"}, None),
    ("P12 all limits together, none is met", ["exit_code", 7],
     ["--cpu-ms", 500, "--wall-ms", 4000, "--memory-mib", 16, "--output-bytes", 4096, "--processes", 2,
      "--files-mib", 1, "--inodes", 8], {"ending": "exited", "exit_code": 7, "limits_hit": []}, ""),
    ("P13 an end just before the wall limit stays one", ["wait", "nap"], ["--wall-ms", 600, "--processes", 20],
     {"ending": "exited", "exit_code": 0, "leftover_processes": True}, None),
    ("P16 setting up is not the program's time", ["exit_code", 0], ["--cpu-ms", 30, "--wall-ms", 2000],
     {"ending": "exited", "exit_code": 0}, None),
]
QUIET = ("private memory allowed\nshared memory ENOMEM\nhuge pages ENOMEM\nmemory that grows down ENOMEM\nignoring children EPERM\n"
         "ignoring the terminal allowed\nlock ENOLCK\nlarger pipe EPERM\nmerging pages EINVAL\ncore 1 1\npid 2\n")
SPACE = [
    ("S10 P01 one process beyond the limit", ["touch_memory", 90], ["--memory-mib", 64], {"ending": "memory_limit"},
     None),
    ("S10 one process below the limit", ["touch_memory", 40], ["--memory-mib", 64], {"ending": "exited"}, None),
    ("S11 P01 four children together", ["touch_memory", 26, 4], ["--memory-mib", 64, "--wall-ms", 10000],
     {"ending": "memory_limit"}, None),
    *((f"S11 four children together, hidden by {how}", ["hide_memory", how, 26],
       ["--memory-mib", 64, "--wall-ms", 10000], {"ending": "memory_limit"}, None) for how in ("name", "leader")),
    ("P05 memory, with a wall limit behind it", ["touch_memory", 90], ["--memory-mib", 64, "--wall-ms", 2000],
     {"ending": "memory_limit"}, None),
    ("P02 large zero array, not touched", ["ask_memory", 1], ["--memory-mib", 64],
     {"ending": "exited", "exit_code": 0}, "granted\n"),
    ("P02 large zero array, touched", ["ask_memory", 1, 800], ["--memory-mib", 64], {"ending": "memory_limit"}, None),
    ("P02 large zero array under a small limit", ["ask_memory", 1], ["--memory-mib", 16],
     {"ending": "exited", "exit_code": 0}, "granted\n"),
    ("P03 a large piece of memory, not touched", ["ask_memory", 5000], ["--memory-mib", 64],
     {"ending": "exited", "limits_hit": []}, "granted\n"),
    ("S12 P08 reservation", ["reserve_memory", 0], ["--memory-mib", 64], {"ending": "exited", "exit_code": 0}, "0 KiB\n"),
    ("S14 one page of each MiB", ["reserve_memory", 512], ["--memory-mib", 64],
     {"ending": "exited", "exit_code": 0}, "2048 KiB\n"),
    ("S13 P38 disk", ["fill_disk", "bytes"], ["--files-mib", 4, "--memory-mib", 64], {"ending": "exited"},
     "ENOSPC|EFBIG"),
    ("P07 files in /box are memory", ["fill_disk", "bytes"], ["--files-mib", 24, "--memory-mib", 64],
     {"ending": "exited"}, "ENOSPC|EFBIG"),
    ("S13 files beyond the memory limit", ["fill_disk", "bytes"], ["--files-mib", 90, "--memory-mib", 32],
     {"ending": "memory_limit"}, None),
    ("S24 P38 files", ["fill_disk", "files"], ["--inodes", 100], {"ending": "exited"}, "ENOSPC"),
    ("S25 sparse file", ["fill_disk", "sparse"], ["--files-mib", 4], {"ending": "exited"}, "EFBIG|ENOSPC"),
    ("S15 forks", ["fork_until_refused"], ["--processes", 10], {"ending": "exited"}, "9\n|10\n"),
    ("P21 the run after a fork flood", ["exit_code", 3], [], {"ending": "exited", "exit_code": 3}, None),
    ("S17 P27 threads", ["threads", 100], ["--processes", 120, "--memory-mib", 512], {"ending": "exited"}, "100\n"),
    ("S17 threads under the default memory limit", ["threads", 100], ["--processes", 120],
     {"ending": "exited", "exit_code": 0}, "100\n"),
    ("S18 P19 quiet daemon", ["daemon", "quiet"], [],
     {"ending": "exited", "exit_code": 0, "leftover_processes": True}, "answer\n"),
    ("S19 P22 daemon holds the streams", ["daemon", "loud"], [], {"ending": "exited", "exit_code": 0}, "answer\n"),
    ("S21 flood of output", ["flood", 1, 100, MIB], ["--output-bytes", 65536],
     {"ending": "output_limit", "output_bytes": 65536}, None),
    ("S22 flood of errors", ["flood", 2, 100, MIB], ["--output-bytes", 65536],
     {"ending": "output_limit", "output_bytes": 65536}, ""),
    ("S23 small writes", ["flood", 1, 100000, 1], ["--cpu-ms", 8000, "--wall-ms", 60000],
     {"ending": "exited", "output_bytes": 100000}, None),
    ("P44 output of exactly the limit", ["flood", 1, 4, 1024], ["--output-bytes", 4096],
     {"ending": "exited", "output_bytes": 4096}, "x" * 4096),
    ("P44 one byte more", ["flood", 1, 4097, 1], ["--output-bytes", 4096], {"ending": "output_limit"}, "x" * 4096),
    ("P44 no output", ["exit_code", 0], ["--output-bytes", 1], {"ending": "exited", "output_bytes": 0}, ""),
    ("S30 descriptors", ["descriptors"], [], {"ending": "exited"}, ""),
    ("P41 quiet refusals", ["quiet_refusals"], [], {"ending": "exited", "exit_code": 0}, QUIET),
    ("S40 honest work", ["honest_work"], ["--memory-mib", 256], {"ending": "exited", "exit_code": 0},
     "recursion 0\nmapped 1\ntime 1\ninput 0\n"),
]
BLOCKED = {name: name for name in (
    "socket socketpair connect shmget msgget semget mq_open ptrace process_vm_readv process_vm_writev pidfd_open "
    "pidfd_getfd pidfd_send_signal kcmp unshare setns mount umount2 pivot_root chroot open_tree move_mount fsopen "
    "mount_setattr io_uring_setup bpf perf_event_open userfaultfd keyctl add_key request_key kexec_load init_module "
    "finit_module delete_module name_to_handle_at open_by_handle_at execve execveat seccomp landlock_restrict_self "
    "memfd_create mknod setuid capset personality reboot sethostname clock_settime swapon quotactl syslog acct "
    "fanotify_init inotify_init1 vmsplice").split()}
BLOCKED |= {f"socket-{kind}": "socket" for kind in ("unix", "netlink", "vsock")}
BLOCKED |= {f"clone-new{kind}": "clone" for kind in ("user", "ns", "pid", "net", "ipc", "uts", "cgroup")}
BLOCKED |= {"prctl-dumpable": "prctl"}
# Which case a blocked call stands for, where it is a narrower one than "forbidden calls end the run and are named".
CASES = {"socket": "S32 P50", "shmget": "S33", "ptrace": "S35", "unshare": "S36", "execve": "S36 P32", "bpf": "S37",
         "io_uring_setup": "S37 P31", "keyctl": "S37 P52", "mknod": "S36 P36"}
CALLS = [(f"{CASES.get(name, 'S32-S37')} {name}", ["forbidden_call", name], [],
          {"ending": "policy_violation", "blocked_call": call}, "") for name, call in BLOCKED.items()]
CALLS += [(f"P28 a call from a {where}", ["forbidden_call", "socket", where], [],
           {"ending": "policy_violation", "blocked_call": "socket"}, "") for where in ("thread", "child")]
CALLS += [(f"S38 P29 {name}", ["forbidden_call", name], [], {"ending": "policy_violation"}, "")
          for name in ("int80", "x32")]
CALLS += [(f"S38 {name}", ["forbidden_call", name], [], {"ending": "exited", "exit_code": 0}, "ENOSYS\n")
          for name in ("number-minus-one", "number-4095", "clone3")]
CALLS += [(f"S39 P33 {name}", ["forbidden_call", name], [], {"ending": "exited", "exit_code": 0}, "ENOTTY\n|EPERM\n")
          for name in ("ioctl-sti", "ioctl-sti-high", "ioctl-linux")]
CALLS += [("P27 newest calls", ["newest_calls"], [], {"ending": "exited", "exit_code": 0}, "statx 0\nfaccessat2 0\n"),
          ("P27 fchmodat2, which newer C libraries try first", ["newest_calls", "fchmodat2"], [],
           {"ending": "exited", "exit_code": 0}, "")]
CALLS += [(f"P30 high bits: {name}", ["high_bits", name], [], {"ending": "policy_violation", "blocked_call": call}, "")
          for name, call in (("pipe-size", "fcntl"), ("dumpable", "prctl"), ("thread-name", "prctl"),
                             ("getrandom-pool", "getrandom"), ("newuser", "clone"), ("program-fd", "execveat"))]
CALLS += [("P30 high bits: children cannot be hidden", ["high_bits", "sigchld"], [], {"ending": "exited"}, "EPERM"),
          ("P30 high bits: other handlers", ["high_bits", "sigusr1"], [], {"ending": "exited"}, "WENT THROUGH"),
          ("P30 high bits: pages are not merged", ["high_bits", "mergeable"], [], {"ending": "exited"}, "EINVAL")]
TABLE = EXITS + SIGNALS + TIMES + SPACE + CALLS

# Where memory is `sampled` (no control groups): what is promised instead, and why.
SAMPLED = {
    "P03 a large piece of memory, not touched": (
        {"ending": "exited", "exit_code": 0}, "refused\n",
        "RLIMIT_DATA, sixteen times the limit, bounds what one process can take between two samples; the kernel does "
        "not tell anyone of the refusal, so `limits_hit` cannot list it"),
    "P02 large zero array under a small limit": (
        {"ending": "signaled", "signal": 11}, "",
        "zeros beyond sixteen times the limit meet RLIMIT_DATA during exec; the kernel then kills the program and "
        "says nothing else"),
    "S17 threads under the default memory limit": (
        {"ending": "exited", "exit_code": 3}, "",
        "each thread's stack reserves 64 MiB, which RLIMIT_DATA counts: sixteen times the memory limit is its bound, "
        "and pthread_create says so to the program"),
}

# Checks that fail now, and why. One that passes must leave this table: run.py says so.
KNOWN = {}
