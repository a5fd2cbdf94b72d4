// P39, P53: prints every limit that it has been given, soft and hard.
// Changes nothing.
// Run by tests/probes/run.py in a jail.
#include <cstdio>

#include <sys/resource.h>

int main() {
    const struct {
        const char* name;
        __rlimit_resource resource;
    } rows[] = {
        {"core", RLIMIT_CORE},       {"memlock", RLIMIT_MEMLOCK},   {"files", RLIMIT_NOFILE},
        {"file_size", RLIMIT_FSIZE}, {"stack", RLIMIT_STACK},       {"cpu", RLIMIT_CPU},
        {"processes", RLIMIT_NPROC}, {"data", RLIMIT_DATA},         {"space", RLIMIT_AS},
        {"queues", RLIMIT_MSGQUEUE}, {"signals", RLIMIT_SIGPENDING}};
    for (const auto& row : rows) {
        rlimit limit{};
        getrlimit(row.resource, &limit);
        if (limit.rlim_cur != limit.rlim_max) std::printf("SOFT %s\n", row.name);
        if (limit.rlim_cur == RLIM_INFINITY)
            std::printf("%s unlimited\n", row.name);
        else
            std::printf("%s %lu\n", row.name, limit.rlim_cur);
    }
    return 0;
}
