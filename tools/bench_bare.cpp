// The baseline of every ratio: posix_spawn and wait from a small static process.
// Measures nothing of ours.
// Started by bench_main.cpp; reads commands, prints nanoseconds.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <vector>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

long long now_ns() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1'000'000'000LL + now.tv_nsec;
}

/// Runs `times` times the program of `words`, standard input from words[0], output thrown away.
/// Nanoseconds in all, or -1.
long long run(int times, std::vector<char*> words) {
    words.push_back(nullptr);
    char* const environment[] = {const_cast<char*>("PATH=/usr/bin:/bin"), nullptr};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, words[0], O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 3, "/dev/null", O_WRONLY, 0);
    const long long start = now_ns();
    for (int i = 0; i < times; ++i) {
        pid_t pid = 0;
        int status = 0;
        if (posix_spawn(&pid, words[1], &actions, nullptr, words.data() + 1, environment) != 0)
            return -1;
        if (waitpid(pid, &status, 0) != pid || status != 0) return -1;
    }
    posix_spawn_file_actions_destroy(&actions);
    return now_ns() - start;
}

}  // namespace

int main() {
    static char line[64 * 1024];
    while (std::fgets(line, sizeof line, stdin) !=
           nullptr) {  // TIMES \t STDIN \t PROGRAM \t ARGS...
        line[std::strcspn(line, "\n")] = '\0';
        std::vector<char*> words;
        char* rest = line;
        while (char* word = strsep(&rest, "\t")) words.push_back(word);  // empty ones as well
        if (words.size() < 3) return 2;
        const int times = std::atoi(words[0]);
        std::printf("%lld\n", run(times, {words.begin() + 1, words.end()}));
        std::fflush(stdout);
    }
    return 0;
}
