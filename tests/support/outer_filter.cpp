// Runs a command as in a default container or on an older kernel, by a filter around it.
// Confines nobody against attacks.
// Run by the Python drivers: outer_filter [OPTION]... -- COMMAND ARGS, with the options
//   container     no namespaces, no mounts
//   no-listener   a filter with a listener is refused
//   no-landlock   Landlock is not there
//   landlock=N    says that Landlock has version N; takes the one listener that there can be
#include <seccomp.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include <linux/sched.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

struct Options {
    bool container = false, no_listener = false, no_landlock = false;
    int landlock = 0;  // 0: as it is
};

[[noreturn]] void fail(const char* what) {
    std::perror(what);
    std::exit(120);
}

void must(int result, const char* what) {
    if (result >= 0) return;
    errno = -result;
    fail(what);
}

void refuse(scmp_filter_ctx filter, int error, const char* name) {
    const int number = seccomp_syscall_resolve_name(name);
    if (number == __NR_SCMP_ERROR) fail(name);
    must(seccomp_rule_add(filter, SCMP_ACT_ERRNO(static_cast<unsigned>(error)), number, 0), name);
}

/// What the default profile of Docker refuses to a container without CAP_SYS_ADMIN, as far as
/// sandboxes want it.
void add_container(scmp_filter_ctx filter) {
    for (const unsigned long flag : {CLONE_NEWNS, CLONE_NEWCGROUP, CLONE_NEWUTS, CLONE_NEWIPC,
                                     CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET})
        must(seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone), 1,
                              SCMP_A0(SCMP_CMP_MASKED_EQ, flag, flag)),
             "clone");
    refuse(filter, ENOSYS, "clone3");
    for (const char* name :
         {"unshare",         "setns",         "mount",    "umount2", "pivot_root",  "open_tree",
          "move_mount",      "fsopen",        "fsconfig", "fsmount", "fspick",      "mount_setattr",
          "sethostname",     "setdomainname", "keyctl",   "add_key", "request_key", "bpf",
          "perf_event_open", "kcmp",          "chroot"})
        refuse(filter, EPERM, name);
}

void add_older_kernel(scmp_filter_ctx filter, const Options& options) {
    if (options.no_landlock) refuse(filter, ENOSYS, "landlock_create_ruleset");
    if (options.no_listener)
        must(seccomp_rule_add(filter, SCMP_ACT_ERRNO(EINVAL), SCMP_SYS(seccomp), 1,
                              SCMP_A1(SCMP_CMP_MASKED_EQ, SECCOMP_FILTER_FLAG_NEW_LISTENER,
                                      SECCOMP_FILTER_FLAG_NEW_LISTENER)),
             "seccomp");
    if (options.landlock > 0)
        must(seccomp_rule_add(filter, SCMP_ACT_NOTIFY, SCMP_SYS(landlock_create_ruleset), 1,
                              SCMP_A2(SCMP_CMP_EQ, 1)),
             "landlock_create_ruleset");
}

void send_fd(int socket, int fd) {
    char byte = 0;
    iovec part{&byte, 1};
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof fd)] = {};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    cmsghdr* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof fd);
    std::memcpy(CMSG_DATA(header), &fd, sizeof fd);
    if (sendmsg(socket, &message, 0) != 1) fail("sendmsg");
}

int receive_fd(int socket) {
    char byte = 0;
    iovec part{&byte, 1};
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))];
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    if (recvmsg(socket, &message, MSG_CMSG_CLOEXEC) != 1) fail("recvmsg");
    int fd = -1;
    if (const cmsghdr* header = CMSG_FIRSTHDR(&message); header != nullptr)
        std::memcpy(&fd, CMSG_DATA(header), sizeof fd);
    return fd;
}

/// Answers every question for Landlock's version until nobody is left who could ask.
int answer(int listener, int version, pid_t child) {
    for (;;) {
        pollfd fd{listener, POLLIN, 0};
        if (poll(&fd, 1, -1) < 0 && errno != EINTR) break;
        if ((fd.revents & POLLIN) == 0) break;
        seccomp_notif* question = nullptr;
        seccomp_notif_resp* reply = nullptr;
        must(seccomp_notify_alloc(&question, &reply), "seccomp_notify_alloc");
        if (seccomp_notify_receive(listener, question) == 0) {
            reply->id = question->id;
            reply->val = version;
            (void)seccomp_notify_respond(listener, reply);
        }
        seccomp_notify_free(question, reply);
    }
    int status = 0;
    if (waitpid(child, &status, 0) < 0) fail("waitpid");
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

[[noreturn]] void run(char** command) {
    execvp(command[0], command);
    fail(command[0]);
}

}  // namespace

int main(int argc, char** argv) {
    Options options;
    int at = 1;
    for (; at < argc && std::strcmp(argv[at], "--") != 0; ++at) {
        const std::string_view word = argv[at];
        if (word == "container") options.container = true;
        if (word == "no-listener") options.no_listener = true;
        if (word == "no-landlock") options.no_landlock = true;
        if (word.starts_with("landlock=")) options.landlock = std::atoi(argv[at] + 9);
    }
    if (at + 1 >= argc) return 120;
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    must(seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_ALLOW), "foreign calls");
    if (options.container) add_container(filter);
    add_older_kernel(filter, options);
    if (options.landlock == 0) {
        must(seccomp_load(filter), "seccomp_load");
        run(argv + at + 1);
    }
    int sockets[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) fail("socketpair");
    const pid_t child = fork();
    if (child == 0) {
        (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
        must(seccomp_load(filter), "seccomp_load");
        const int listener = seccomp_notify_fd(filter);
        send_fd(sockets[1], listener);
        close(listener);
        run(argv + at + 1);
    }
    close(sockets[1]);
    return answer(receive_fd(sockets[0]), options.landlock, child);
}
