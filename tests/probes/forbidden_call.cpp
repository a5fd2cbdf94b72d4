// S32, S33, S35 to S39: makes one system call by name, with arguments that would do nothing useful.
// Prints what it got, if it gets that far. P28: also from a thread or a child, while the first
// thread waits. Run by tests/probes/run.py in a jail: forbidden_call NAME [thread|child].
#include <cerrno>
#include <cstdio>
#include <cstring>

#include <linux/sched.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

struct Call {
    const char* name;
    long number;
    long arguments[4];
};

// Where a call could do harm, its arguments are invalid.
constexpr Call kCalls[] = {
    {"socket", SYS_socket, {2, 1, 0}},
    {"socket-unix", SYS_socket, {1, 1, 0}},
    {"socket-netlink", SYS_socket, {16, 3, 0}},
    {"socket-vsock", SYS_socket, {40, 1, 0}},
    {"socketpair", SYS_socketpair, {1, 1, 0, 0}},
    {"connect", SYS_connect, {-1, 0, 0}},
    {"shmget", SYS_shmget, {0, 4096, 01600}},
    {"msgget", SYS_msgget, {0, 01600}},
    {"semget", SYS_semget, {0, 1, 01600}},
    {"mq_open", SYS_mq_open, {0, 0, 0, 0}},
    {"ptrace", SYS_ptrace, {16, 1, 0, 0}},
    {"process_vm_readv", SYS_process_vm_readv, {1, 0, 0, 0}},
    {"process_vm_writev", SYS_process_vm_writev, {1, 0, 0, 0}},
    {"pidfd_open", SYS_pidfd_open, {1, 0}},
    {"pidfd_getfd", SYS_pidfd_getfd, {-1, 0, 0}},
    {"pidfd_send_signal", SYS_pidfd_send_signal, {-1, 0, 0, 0}},
    {"kcmp", SYS_kcmp, {1, 1, 0, 0}},
    {"unshare", SYS_unshare, {CLONE_NEWUSER}},
    {"setns", SYS_setns, {-1, 0}},
    {"mount", SYS_mount, {0, 0, 0, 0}},
    {"umount2", SYS_umount2, {0, 0}},
    {"pivot_root", SYS_pivot_root, {0, 0}},
    {"chroot", SYS_chroot, {0}},
    {"open_tree", SYS_open_tree, {-1, 0, 0}},
    {"move_mount", SYS_move_mount, {-1, 0, -1, 0}},
    {"fsopen", SYS_fsopen, {0, 0}},
    {"mount_setattr", SYS_mount_setattr, {-1, 0, 0, 0}},
    {"clone-newuser", SYS_clone, {CLONE_NEWUSER, 0, 0, 0}},
    {"clone-newns", SYS_clone, {CLONE_NEWNS, 0, 0, 0}},
    {"clone-newpid", SYS_clone, {CLONE_NEWPID, 0, 0, 0}},
    {"clone-newnet", SYS_clone, {CLONE_NEWNET, 0, 0, 0}},
    {"clone-newipc", SYS_clone, {CLONE_NEWIPC, 0, 0, 0}},
    {"clone-newuts", SYS_clone, {CLONE_NEWUTS, 0, 0, 0}},
    {"clone-newcgroup", SYS_clone, {CLONE_NEWCGROUP, 0, 0, 0}},
    {"io_uring_setup", SYS_io_uring_setup, {0, 0}},
    {"bpf", SYS_bpf, {-1, 0, 0}},
    {"perf_event_open", SYS_perf_event_open, {0, 0, -1, -1}},
    {"userfaultfd", SYS_userfaultfd, {0}},
    {"keyctl", SYS_keyctl, {-1, 0, 0, 0}},
    {"add_key", SYS_add_key, {0, 0, 0, 0}},
    {"request_key", SYS_request_key, {0, 0, 0, 0}},
    {"kexec_load", SYS_kexec_load, {0, 0, 0, 0}},
    {"init_module", SYS_init_module, {0, 0, 0}},
    {"finit_module", SYS_finit_module, {-1, 0, 0}},
    {"delete_module", SYS_delete_module, {0, 0}},
    {"name_to_handle_at", SYS_name_to_handle_at, {-1, 0, 0, 0}},
    {"open_by_handle_at", SYS_open_by_handle_at, {-1, 0, 0}},
    {"execve", SYS_execve, {0, 0, 0}},
    {"execveat", SYS_execveat, {-1, 0, 0, 0}},
    {"seccomp", SYS_seccomp, {9, 0, 0}},
    {"landlock_restrict_self", SYS_landlock_restrict_self, {-1, 0}},
    {"memfd_create", SYS_memfd_create, {0, 0}},
    {"mknod", SYS_mknod, {0, 0, 0}},
    {"setuid", SYS_setuid, {0}},
    {"capset", SYS_capset, {0, 0}},
    {"personality", SYS_personality, {0x0008}},
    {"prctl-dumpable", SYS_prctl, {4, 1, 0, 0}},
    {"reboot", SYS_reboot, {0, 0, 0, 0}},
    {"sethostname", SYS_sethostname, {0, -1}},
    {"clock_settime", SYS_clock_settime, {-1, 0}},
    {"swapon", SYS_swapon, {0, 0}},
    {"quotactl", SYS_quotactl, {-1, 0, 0, 0}},
    {"syslog", SYS_syslog, {10, 0, 0}},
    {"acct", SYS_acct, {-1}},
    {"fanotify_init", SYS_fanotify_init, {-1, 0}},
    {"inotify_init1", SYS_inotify_init1, {0}},
    {"vmsplice", SYS_vmsplice, {-1, 0, 0, 0}},
    {"clone3", SYS_clone3, {0, 0}},
    {"number-minus-one", -1, {}},
    {"number-4095", 4095, {}},
    {"ioctl-sti", SYS_ioctl, {0, 0x5412, 0}},
    {"ioctl-sti-high", SYS_ioctl, {0, 0x100005412, 0}},
    {"ioctl-linux", SYS_ioctl, {0, 0x541C, 0}},
};

long foreign(const char* how) {
    long result = 20;  // getpid of the 32-bit table
    if (std::strcmp(how, "int80") == 0) asm volatile("int $0x80" : "+a"(result) : : "memory");
    if (std::strcmp(how, "x32") == 0) result = syscall(0x40000000 + SYS_getpid);
    return result;
}

int make(const char* name) {
    for (const Call& call : kCalls) {
        if (std::strcmp(call.name, name) != 0) continue;
        const long* a = call.arguments;
        const pid_t self = getpid();
        const long result = syscall(call.number, a[0], a[1], a[2], a[3]);
        if (getpid() != self) _exit(0);  // a clone that went through
        std::printf("%s\n", result >= 0 ? "WENT THROUGH" : strerrorname_np(errno));
        return 0;
    }
    std::printf("%ld\n", foreign(name));
    return 0;
}

void* in_thread(void* name) {
    (void)make(static_cast<const char*>(name));
    return nullptr;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 3) return make(argv[1]);
    if (std::strcmp(argv[2], "child") == 0) {
        if (fork() == 0) _exit(make(argv[1]));
        return wait(nullptr) > 0 ? 0 : 1;
    }
    pthread_t thread{};
    pthread_create(&thread, nullptr, in_thread, argv[1]);
    pthread_join(thread, nullptr);
    return 0;
}
