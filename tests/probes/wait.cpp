// S08, S09: waits for ever (at most 30 s): asleep, in a read, on a lock, stopped, or deaf to all
// signals. Uses no processor time.
// Run by tests/probes/run.py in a jail.
#include <csignal>
#include <cstring>

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int, char** argv) {
    const char* how = argv[1];
    char byte = 0;
    int ends[2] = {};
    int word = 0;
    (void)alarm(30);
    if (std::strcmp(how, "read") == 0 && pipe(ends) == 0) (void)!read(ends[0], &byte, 1);
    if (std::strcmp(how, "futex") == 0)
        syscall(SYS_futex, &word, FUTEX_WAIT, 0, nullptr, nullptr, 0);
    if (std::strcmp(how, "stop") == 0) kill(getpid(), SIGSTOP);
    if (std::strcmp(how, "deaf") == 0) {
        for (int number = 1; number < 65; ++number) (void)std::signal(number, SIG_IGN);
        setsid();
        sigset_t all;
        sigfillset(&all);
        sigprocmask(SIG_SETMASK, &all, nullptr);
    }
    sleep(30);
    return 0;
}
