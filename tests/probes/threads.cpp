// S17: starts so many threads (100 at most) through the C library, all alive at once.
// Joins them and prints how many ran.
// Run by tests/probes/run.py in a jail: threads NUMBER.
#include <atomic>
#include <cstdio>
#include <cstdlib>

#include <pthread.h>

namespace {
std::atomic<int> ran{0};
pthread_barrier_t all_there;

void* work(void*) {
    ++ran;
    pthread_barrier_wait(&all_there);
    return nullptr;
}
}  // namespace

int main(int, char** argv) {
    const int wanted = std::atoi(argv[1]) < 100 ? std::atoi(argv[1]) : 100;
    pthread_t threads[100];
    pthread_barrier_init(&all_there, nullptr, static_cast<unsigned>(wanted) + 1);
    for (int i = 0; i < wanted; ++i)
        if (pthread_create(&threads[i], nullptr, work, nullptr) != 0) return 3;
    pthread_barrier_wait(&all_there);
    for (int i = 0; i < wanted; ++i) pthread_join(threads[i], nullptr);
    std::printf("%d\n", ran.load());
    return 0;
}
