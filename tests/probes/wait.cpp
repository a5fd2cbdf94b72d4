// S08, S09: waits for ever (at most 30 s): asleep, in a read, on a lock, stopped, or deaf to all
// signals. Uses no processor time. P13: `nap` leaves twelve sleepers and ends after 0.2 s.
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
    if (std::strcmp(how, "nap") == 0) {
        for (int i = 0; i < 12; ++i) {
            if (fork() != 0) continue;
            sleep(30);
            return 1;
        }
        return usleep(200000);
    }
    sleep(30);
    return 0;
}
