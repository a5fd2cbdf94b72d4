// Every allowed system call of every profile, each with its reason.
// Does not build filters, knows no numbers.
// See policy.hpp. A new row needs a probe that still dies and the changed golden text.
#include "sandbox/helper/init_wire.hpp"
#include "sandbox/policy.hpp"

#include <array>
#include <cerrno>

namespace sandbox {

namespace {

constexpr Action kAllow = Action::allow;
constexpr Action kRefuse = Action::refuse;
constexpr Action kIgnore = Action::ignore;
using Op = ArgTest::Op;

// clone(2): CLONE_NEWNS | NEWCGROUP | NEWUTS | NEWIPC | NEWUSER | NEWPID | NEWNET must all be
// clear.
constexpr std::uint64_t kNamespaceFlags =
    0x00020000 | 0x02000000 | 0x04000000 | 0x08000000 | 0x10000000 | 0x20000000 | 0x40000000;
constexpr std::array kNoNamespaces{ArgTest{0, Op::masked_equal, 0, kNamespaceFlags}};
constexpr std::array kNotRandomPool{ArgTest{2, Op::masked_equal, 0, 2}};  // GRND_RANDOM clear
constexpr std::array kReadsLimit{ArgTest{2, Op::equal, 0}};
constexpr std::array kSetsLimit{ArgTest{2, Op::not_equal, 0}};
constexpr std::array kThreadPointer{ArgTest{0, Op::equal, 0x1002}};  // ARCH_SET_FS
constexpr std::array kNotThreadPointer{ArgTest{0, Op::not_equal, 0x1002}};
constexpr std::array kSetName{ArgTest{0, Op::equal, 15}};             // PR_SET_NAME
constexpr std::array kGetName{ArgTest{0, Op::equal, 16}};             // PR_GET_NAME
constexpr std::array kNameMemory{ArgTest{0, Op::equal, 0x53564d41}};  // PR_SET_VMA
constexpr ArgTest command_is(std::uint64_t command) {
    return {1, Op::equal, command};
}
constexpr std::array kDupFd{command_is(0)}, kGetFd{command_is(1)}, kSetFd{command_is(2)},
    kGetFl{command_is(3)}, kSetFl{command_is(4)}, kGetLock{command_is(5)}, kSetLock{command_is(6)},
    kWaitLock{command_is(7)}, kDupFdCloexec{command_is(1030)}, kSetPipeSize{command_is(1031)},
    kGetPipeSize{command_is(1032)};
constexpr std::array kProgramFd{ArgTest{0, Op::equal, init_wire::kProgramFd},
                                ArgTest{4, Op::equal, 0x1000}};  // AT_EMPTY_PATH

// mmap(2), argument 3: MAP_SHARED 0x1, MAP_ANONYMOUS 0x20, MAP_GROWSDOWN 0x100, MAP_HUGETLB
// 0x40000.
constexpr std::array kMapsFile{ArgTest{3, Op::masked_equal, 0, 0x40120}};
constexpr std::array kMapsPrivate{ArgTest{3, Op::masked_equal, 0, 0x40101}};
constexpr std::array kMapsHuge{ArgTest{3, Op::masked_equal, 0x40000, 0x40000}};
constexpr std::array kMapsStack{ArgTest{3, Op::masked_equal, 0x100, 0x40100}};
constexpr std::array kMapsSharedMemory{ArgTest{3, Op::masked_equal, 0x21, 0x40121}};
// Of these two the kernel reads the lower half only, and no number has more than seven bits.
constexpr std::array kMergeable{ArgTest{2, Op::masked_equal, 12, 0x7f}};  // MADV_MERGEABLE
constexpr std::array kNotMergeable{ArgTest{2, Op::not_equal, 12, 0x7f}};
constexpr std::array kChildSignal{ArgTest{0, Op::masked_equal, 17, 0x7f}};  // SIGCHLD
constexpr std::array kNotChildSignal{ArgTest{0, Op::not_equal, 17, 0x7f}};

// Portable mode. kOwnPid is no number of a process: whoever loads the filter puts its own there.
constexpr std::array kOwnPid{ArgTest{0, Op::equal, init_wire::kOwnPidMark}};
constexpr std::array kNotOwnPid{ArgTest{0, Op::not_equal, init_wire::kOwnPidMark}};
constexpr std::array kOfItself{ArgTest{0, Op::equal, 0}};
constexpr std::array kOfOthers{ArgTest{0, Op::not_equal, 0}};
constexpr std::array kOwnPriority{ArgTest{0, Op::equal, 0}, ArgTest{1, Op::equal, 0}};
constexpr std::array kPriorityOfOthers{ArgTest{1, Op::not_equal, 0}};
constexpr std::array kReadsOwnLimit{ArgTest{0, Op::equal, 0}, ArgTest{2, Op::equal, 0}};
constexpr std::uint64_t kThreadFlag = 0x00010000;  // CLONE_THREAD
constexpr std::array kOnlyThread{
    ArgTest{0, Op::masked_equal, kThreadFlag, kNamespaceFlags | kThreadFlag}};
constexpr std::array kOnlyChild{ArgTest{0, Op::masked_equal, 0, kNamespaceFlags | kThreadFlag}};
// Flags of open(2) and openat(2): O_TRUNC 0x200, O_TMPFILE 0x400000, and the two bits of the access
// mode.
constexpr ArgTest opens(std::uint8_t argument, std::uint64_t flags, std::uint64_t mask = 0x400203) {
    return {argument, Op::masked_equal, flags, mask};
}
constexpr std::array kOpen{opens(1, 0, 0x400200)}, kOpenToWrite{opens(1, 0x201)},
    kOpenToReadWrite{opens(1, 0x202)}, kOpenToEmpty{opens(1, 0x200)},
    kOpenToNothing{opens(1, 0x203)}, kOpenHidden{opens(1, 0x400000, 0x400000)};
constexpr std::array kOpenNamed{opens(1, 0, 0x400000)}, kOpenatNamed{opens(2, 0, 0x400000)};
constexpr std::array kOpenat{opens(2, 0, 0x400200)}, kOpenatToWrite{opens(2, 0x201)},
    kOpenatToReadWrite{opens(2, 0x202)}, kOpenatToEmpty{opens(2, 0x200)},
    kOpenatToNothing{opens(2, 0x203)}, kOpenatHidden{opens(2, 0x400000, 0x400000)};

// clang-format off
constexpr Rule kBase[] = {
    // Streams and files: what can be opened is decided by the view and by Landlock, not here.
    {"read", kAllow, 0, {}, "reads a descriptor"},
    {"write", kAllow, 0, {}, "writes a descriptor"},
    {"readv", kAllow, 0, {}, "reads a descriptor"},
    {"writev", kAllow, 0, {}, "writes a descriptor; C streams use it"},
    {"pread64", kAllow, 0, {}, "loaders read program headers"},
    {"pwrite64", kAllow, 0, {}, "linkers write output in place"},
    {"lseek", kAllow, 0, {}, "C streams"},
    {"openat2", kRefuse, ENOSYS, {}, "flags lie behind a pointer; libcs fall back"},
    {"close", kAllow, 0, {}, "closes a descriptor"},
    {"close_range", kAllow, 0, {}, "closes descriptors before an exec"},
    {"dup", kAllow, 0, {}, "copies a descriptor"},
    {"dup2 dup3", kAllow, 0, {}, "redirections"},
    {"fcntl", kAllow, 0, kDupFd, "copies a descriptor; commands without a row end the run"},
    {"fcntl", kAllow, 0, kDupFdCloexec, "copies a descriptor"},
    {"fcntl", kAllow, 0, kGetFd, "descriptor flags"},
    {"fcntl", kAllow, 0, kSetFd, "descriptor flags"},
    {"fcntl", kAllow, 0, kGetFl, "status flags"},
    {"fcntl", kAllow, 0, kSetFl, "status flags of its own ends"},
    {"fcntl", kAllow, 0, kGetPipeSize, "asked by stream libraries"},
    {"fcntl", kRefuse, EPERM, kSetPipeSize, "pipes keep their size: it is host memory"},
    {"fcntl", kRefuse, ENOLCK, kGetLock, "files of the view are shared: a lock would be a channel"},
    {"fcntl", kRefuse, ENOLCK, kSetLock, "files of the view are shared: a lock would be a channel"},
    {"fcntl", kRefuse, ENOLCK, kWaitLock, "files of the view are shared: a lock would be a channel"},
    {"flock", kRefuse, ENOLCK, {}, "files of the view are shared: a lock would be a channel"},
    {"ioctl", kRefuse, ENOTTY, {}, "no terminal and no device here: isatty() says no"},
    {"fstat", kAllow, 0, {}, "C streams"},
    {"stat lstat newfstatat statx", kAllow, 0, {}, "metadata of visible files"},
    {"statfs fstatfs", kAllow, 0, {}, "space left in /box"},
    {"access faccessat faccessat2", kAllow, 0, {}, "may a visible file be read"},
    {"readlink readlinkat", kAllow, 0, {}, "links of the view"},
    {"getdents64", kAllow, 0, {}, "lists visible folders"},
    {"getcwd", kAllow, 0, {}, "the name /box"},
    {"chdir fchdir", kAllow, 0, {}, "visible folders"},
    {"link linkat", kRefuse, EPERM, {}, "nobody needs a second name"},
    {"ftruncate", kAllow, 0, {}, "files in /box"},
    {"fallocate", kAllow, 0, {}, "files in /box, under its size limit"},
    {"fadvise64", kIgnore, 0, {}, "would reach the page cache of host files"},
    {"fsync fdatasync", kIgnore, 0, {}, "/box is memory; of a host file it would reach the host's disk"},
    {"chown fchown lchown fchownat", kRefuse, EPERM, {}, "tools try to keep owners and go on without"},
    {"umask", kAllow, 0, {}, "of this process only"},
    {"getxattr lgetxattr fgetxattr", kRefuse, ENOTSUP, {}, "file tools probe for attributes"},
    {"copy_file_range", kRefuse, ENOSYS, {}, "libcs fall back to read and write"},
    {"sendfile", kRefuse, ENOSYS, {}, "libraries fall back to read and write"},
    {"pipe pipe2", kAllow, 0, {}, "between processes of the jail"},
    {"poll ppoll select pselect6", kAllow, 0, {}, "waits for descriptors"},
    // Memory: limited by cgroup or rlimit.
    {"brk", kAllow, 0, {}, "malloc"},
    {"mmap", kAllow, 0, kMapsFile, "loaders, files of the view and of /box"},
    {"mmap", kAllow, 0, kMapsPrivate, "malloc, thread stacks"},
    {"mmap", kRefuse, ENOMEM, kMapsHuge, "huge pages come from the host's pool and are in no account"},
    {"mmap", kRefuse, ENOMEM, kMapsStack, "RLIMIT_DATA does not count what may grow down"},
    {"mmap", kRefuse, ENOMEM, kMapsSharedMemory, "shared memory without a file can hide from samples"},
    {"munmap", kAllow, 0, {}, "malloc, loaders"},
    {"mremap", kAllow, 0, {}, "realloc"},
    {"mprotect", kAllow, 0, {}, "loaders, thread stacks"},
    {"madvise", kAllow, 0, kNotMergeable, "malloc gives pages back"},
    {"madvise", kRefuse, EINVAL, kMergeable, "merged pages are a channel between jails"},
    {"mincore", kRefuse, ENOSYS, {}, "tells which host pages are cached"},
    {"mlock mlock2 mlockall", kRefuse, EPERM, {}, "locked pages escape reclaim"},
    {"pkey_alloc", kRefuse, ENOSYS, {}, "libcs probe it"},
    // Processes and threads of this jail: their number is limited.
    {"clone3", kRefuse, ENOSYS, {}, "flags lie behind a pointer; libcs fall back to clone"},
    {"exit", kAllow, 0, {}, "threads end"},
    {"exit_group", kAllow, 0, {}, "programs end"},
    {"wait4 waitid", kAllow, 0, {}, "own children"},
    {"rt_sigprocmask", kAllow, 0, {}, "own mask"},
    {"rt_sigreturn", kAllow, 0, {}, "handlers return"},
    {"rt_sigpending", kAllow, 0, {}, "own signals"},
    {"rt_sigsuspend rt_sigtimedwait", kAllow, 0, {}, "waits for own signals"},
    {"sigaltstack", kAllow, 0, {}, "handlers of stack overflows"},
    {"pause", kAllow, 0, {}, "waits; the wall limit ends it"},
    {"restart_syscall", kAllow, 0, {}, "the kernel's own"},
    {"futex", kAllow, 0, {}, "locks"},
    {"futex_waitv", kRefuse, ENOSYS, {}, "libraries probe it"},
    {"fchmodat2", kRefuse, ENOSYS, {}, "newer libcs try it first"},
    {"set_robust_list", kAllow, 0, {}, "thread start"},
    {"get_robust_list", kRefuse, ENOSYS, {}, "of other threads: not needed"},
    {"set_tid_address", kAllow, 0, {}, "thread start"},
    {"rseq", kAllow, 0, {}, "glibc registers it"},
    {"membarrier", kRefuse, ENOSYS, {}, "libraries probe it"},
    {"arch_prctl", kAllow, 0, kThreadPointer, "thread-local storage"},
    {"arch_prctl", kRefuse, EINVAL, kNotThreadPointer, "libcs probe shadow stacks"},
    {"prctl", kAllow, 0, kSetName, "names of threads; every other option ends the run"},
    {"prctl", kAllow, 0, kGetName, "names of threads"},
    {"prctl", kRefuse, EINVAL, kNameMemory, "names of mappings: malloc probes it"},
    {"getpid getppid gettid getpgrp getuid geteuid getgid getegid getresuid getresgid", kAllow, 0, {}, "own ids"},
    {"getgroups", kAllow, 0, {}, "own ids: none"},
    {"sched_yield", kAllow, 0, {}, "spin locks"},
    {"sched_setaffinity", kRefuse, EPERM, {}, "placing is the host's"},
    {"sched_get_priority_max sched_get_priority_min", kAllow, 0, {}, "thread libraries ask"},
    {"setpriority", kRefuse, EPERM, {}, "priorities are the host's"},
    {"getcpu", kAllow, 0, {}, "allocators per processor"},
    {"getrlimit", kAllow, 0, {}, "own limits may be read"},
    {"setrlimit", kRefuse, EPERM, {}, "limits stay as set"},
    {"getrusage times", kAllow, 0, {}, "own use"},
    // Clocks: may cause nothing but a time limit.
    {"clock_gettime clock_getres gettimeofday time", kAllow, 0, {}, "clocks"},
    {"nanosleep clock_nanosleep", kAllow, 0, {}, "sleeps; the wall limit ends it"},
    {"alarm setitimer getitimer", kAllow, 0, {}, "own signals"},
    // Facts about the host that libcs need.
    {"uname", kAllow, 0, {}, "the jail's own host name, the kernel's version"},
    {"sysinfo", kAllow, 0, {}, "qsort() of glibc asks for the size of memory"},
    {"getrandom", kAllow, 0, kNotRandomPool,
     "libc seeds its tables; the blocking pool stays out of reach"},
};

// Full mode: safe because mounts, pids and ids are the jail's own.
constexpr Rule kAlone[] = {
    {"mkdir mkdirat rmdir", kAllow, 0, {}, "folders in /box"},
    {"unlink unlinkat rename renameat renameat2", kAllow, 0, {}, "files in /box"},
    {"symlink symlinkat", kAllow, 0, {}, "links in /box; results are read without following any"},
    {"truncate", kAllow, 0, {}, "files in /box"},
    {"chmod fchmod fchmodat", kAllow, 0, {}, "files in /box; set-id bits have no effect there"},
    {"msync", kAllow, 0, {}, "mapped files in /box"},
    {"kill", kAllow, 0, {}, "the pid namespace holds this run only; abort and raise"},
    {"tkill", kAllow, 0, {}, "the pid namespace holds this run only"},
    {"tgkill", kAllow, 0, {}, "abort() is SIGABRT only with it"},
    {"setsid", kAllow, 0, {}, "a session of its own changes nothing: init kills all"},
    {"setpgid", kAllow, 0, {}, "groups within the jail"},
    {"getpgid getsid", kAllow, 0, {}, "own ids"},
    {"sched_getaffinity", kAllow, 0, {}, "number of processors"},
    {"sched_getparam sched_getscheduler", kAllow, 0, {}, "thread libraries ask"},
    {"getpriority", kAllow, 0, {}, "own priority"},
    {"prlimit64", kAllow, 0, kReadsLimit, "own limits may be read"},
    {"prlimit64", kRefuse, EPERM, kSetsLimit,
     "limits stay as set; compilers try to raise the stack"},
};

// Where killing the jail kills them: a pid namespace, or one process group that none can leave.
constexpr Rule kChildren[] = {
    {"clone", kAllow, 0, kNoNamespaces, "threads and forks; keeps out every new namespace"},
    {"fork vfork", kAllow, 0, {}, "children count towards every limit"},
};

// Portable mode: everything that a namespace or another uid would keep apart. The files and
// processes of the host are there, perhaps under the same uid, and Landlock mediates neither modes,
// owners, times nor (before its version 3) truncation.
constexpr Rule kAmongOthers[] = {
    {"open", kAllow, 0, kOpen, "Landlock decides which files"},
    {"open", kAllow, 0, kOpenToWrite, "emptied by who may write"},
    {"open", kAllow, 0, kOpenToReadWrite, "emptied by who may write"},
    {"open", kRefuse, EACCES, kOpenToEmpty, "would empty a file that may only be read"},
    {"open", kRefuse, EACCES, kOpenToNothing, "would empty a file that may only be read"},
    {"open", kRefuse, EOPNOTSUPP, kOpenHidden, "a file without a name is in no account"},
    {"openat", kAllow, 0, kOpenat, "Landlock decides which files"},
    {"openat", kAllow, 0, kOpenatToWrite, "emptied by who may write"},
    {"openat", kAllow, 0, kOpenatToReadWrite, "emptied by who may write"},
    {"openat", kRefuse, EACCES, kOpenatToEmpty, "would empty a file that may only be read"},
    {"openat", kRefuse, EACCES, kOpenatToNothing, "would empty a file that may only be read"},
    {"openat", kRefuse, EOPNOTSUPP, kOpenatHidden, "a file without a name is in no account"},
    {"unlink unlinkat", kRefuse, EACCES, {}, "what tools wrote keeps its name: without one it is in no account"},
    {"rename renameat renameat2", kRefuse, EACCES, {}, "would take the name from what had it"},
    {"truncate", kRefuse, EACCES, {}, "by path: Landlock knows it from version 3 on"},
    {"mkdir mkdirat rmdir", kRefuse, EACCES, {}, "the private folder of tools stays flat"},
    {"symlink symlinkat", kRefuse, EACCES, {}, "nobody needs a link"},
    {"chmod fchmod fchmodat utimensat utime utimes", kRefuse, EPERM, {}, "files of the same user; Landlock does not mediate it"},
    {"msync", kIgnore, 0, {}, "of a host file it would reach the host's disk"},
    {"kill", kAllow, 0, kOwnPid, "abort and raise; no other process, whatever Landlock can do"},
    {"kill", kRefuse, EPERM, kNotOwnPid, "no other process, and no group"},
    {"tkill", kAllow, 0, kOwnPid, "older libcs raise with it"},
    {"tkill", kRefuse, EPERM, kNotOwnPid, "a thread of anyone"},
    {"tgkill", kAllow, 0, kOwnPid, "abort() is SIGABRT only with it"},
    {"tgkill", kRefuse, EPERM, kNotOwnPid, "no thread of another process"},
    {"setsid setpgid", kRefuse, EPERM, {}, "one group for all, so that one signal kills all"},
    {"getpgid", kAllow, 0, kOfItself, "own ids"},
    {"getpgid", kRefuse, ESRCH, kOfOthers, "others are not there"},
    {"getsid", kAllow, 0, kOfItself, "own ids"},
    {"getsid", kRefuse, ESRCH, kOfOthers, "others are not there"},
    {"sched_getaffinity", kAllow, 0, kOfItself, "number of processors"},
    {"sched_getaffinity", kRefuse, ENOSYS, kOfOthers, "others are not there; glibc goes on without"},
    {"sched_getparam", kAllow, 0, kOfItself, "thread libraries ask"},
    {"sched_getparam", kRefuse, ESRCH, kOfOthers, "others are not there"},
    {"sched_getscheduler", kAllow, 0, kOfItself, "thread libraries ask"},
    {"sched_getscheduler", kRefuse, ESRCH, kOfOthers, "others are not there"},
    {"getpriority", kAllow, 0, kOwnPriority, "own priority"},
    {"getpriority", kRefuse, ESRCH, kOfOthers, "groups and users are not the jail's"},
    {"getpriority", kRefuse, ESRCH, kPriorityOfOthers, "others are not there"},
    {"prlimit64", kAllow, 0, kReadsOwnLimit, "own limits may be read"},
    {"prlimit64", kRefuse, EPERM, kOfOthers, "processes of the same user"},
    {"prlimit64", kRefuse, EPERM, kSetsLimit, "limits stay as set; compilers try to raise the stack"},
};

// Portable mode, programs: one process, whose end empties the jail.
constexpr Rule kOnlyThreads[] = {
    {"clone", kAllow, 0, kOnlyThread, "threads; keeps out every new namespace"},
    {"clone", kRefuse, EAGAIN, kOnlyChild, "a child could outlive the run; it fails as at a limit"},
    {"fork vfork", kRefuse, EAGAIN, {}, "a child could outlive the run; it fails as at a limit"},
};

// Where nobody needs to wait for tools: ignoring SIGCHLD would hide the CPU time of children.
constexpr Rule kKeepChildren[] = {
    {"rt_sigaction", kAllow, 0, kNotChildSignal, "own handlers"},
    {"rt_sigaction", kRefuse, EPERM, kChildSignal, "children must be waited for, or their CPU time is lost"},
};

constexpr Rule kAnyHandler[] = {
    {"rt_sigaction", kAllow, 0, {}, "own handlers; compilers wait for their tools"},
};

constexpr std::array kZygoteFd{ArgTest{0, Op::equal, init_wire::kZygoteFd}};

constexpr Rule kBoxOfTools[] = {
    {"open openat", kAllow, 0, {}, "files of the view and of /box"},
    {"utimensat utime utimes", kAllow, 0, {}, "tools keep times of files"},
};

// The time of /box says whether anything was ever made in it: what was not need not be replaced.
constexpr Rule kBoxOfPrograms[] = {
    {"open", kAllow, 0, kOpenNamed, "older callers of openat"},
    {"openat", kAllow, 0, kOpenatNamed, "files of the view and of /box"},
    {"open", kRefuse, EOPNOTSUPP, kOpenHidden, "a file without a name would use /box without a trace"},
    {"openat", kRefuse, EOPNOTSUPP, kOpenatHidden, "a file without a name would use /box without a trace"},
    {"utimensat utime utimes", kRefuse, EPERM, {}, "would hide that /box was used"},
};

constexpr Rule kForked[] = {
    {"sendmsg", kAllow, 0, kZygoteFd,
     "a zygote's child hands its held calls to init, before it reads the submission; no socket exists afterwards"},
};

constexpr Rule kStartByImage[] = {
    {"execveat", kAllow, 0, kProgramFd,
     "starts the program itself by its descriptor, which is closed then; keeps out paths"},
};

constexpr Rule kStartPrograms[] = {
    {"execve", kAllow, 0, {}, "compilers and shells run tools of the view; /box is not executable"},
    {"execveat", kAllow, 0, kProgramFd, "starts the program itself by its descriptor"},
};

const std::array kPolicies{
    Policy{Profile::native, Mode::full, {kBase, kAlone, kChildren, kKeepChildren, kBoxOfPrograms, kStartByImage}},
    Policy{Profile::compile, Mode::full, {kBase, kAlone, kChildren, kAnyHandler, kBoxOfTools, kStartPrograms}},
    Policy{Profile::lua, Mode::full, {kBase, kAlone, kChildren, kKeepChildren, kBoxOfPrograms, kStartByImage, kForked}},
    Policy{Profile::python, Mode::full, {kBase, kAlone, kChildren, kKeepChildren, kBoxOfPrograms, kStartByImage, kForked}},
    Policy{Profile::shell, Mode::full, {kBase, kAlone, kChildren, kAnyHandler, kBoxOfTools, kStartPrograms}},
    Policy{Profile::native, Mode::portable, {kBase, kAmongOthers, kOnlyThreads, kKeepChildren, kStartByImage}},
    Policy{Profile::compile, Mode::portable, {kBase, kAmongOthers, kChildren, kAnyHandler, kStartPrograms}},
    Policy{Profile::lua, Mode::portable, {kBase, kAmongOthers, kOnlyThreads, kKeepChildren, kStartByImage}},
    Policy{Profile::python, Mode::portable, {kBase, kAmongOthers, kOnlyThreads, kKeepChildren, kStartByImage}},
    Policy{Profile::shell, Mode::portable, {kBase, kAmongOthers, kChildren, kAnyHandler, kStartPrograms}},
};

// clang-format on

}  // namespace

const Policy& policy_of(Profile profile, Mode mode) {
    for (const Policy& policy : kPolicies) {
        if (policy.profile == profile && policy.mode == mode) return policy;
    }
    return kPolicies.front();
}

}  // namespace sandbox
