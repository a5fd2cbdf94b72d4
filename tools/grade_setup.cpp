// Facts about this program and this host for a grading.
// The only environment that a worker gets is listed here.
// See grade_setup.hpp.
#include "tools/grade_setup.hpp"

#include "tools/exit_code.hpp"
#include "tools/own_path.hpp"
#include "tools/version.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include <sched.h>
#include <sys/utsname.h>

namespace tools {

namespace {

std::string host_text() {
    struct utsname names {};
    if (::uname(&names) != 0) return "";
    return fmt::format("{} {} {} {}", names.sysname, names.release, names.machine, names.nodename);
}

/// What a worker may know of our environment: where to keep its compiled entry code.
std::vector<std::string> worker_environment() {
    std::vector<std::string> variables{"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C.UTF-8"};
    for (const char* name : {"HOME", "XDG_CACHE_HOME", "TMPDIR"})
        if (const char* value = std::getenv(name))
            variables.push_back(fmt::format("{}={}", name, value));
    return variables;
}

}  // namespace

unsigned processors() {
    cpu_set_t set;
    if (::sched_getaffinity(0, sizeof set, &set) != 0) return 1;
    return std::clamp(static_cast<unsigned>(CPU_COUNT(&set)), 1U, kMostJobs);
}

grader::GradeOptions standard_grade_options(unsigned jobs) {
    grader::GradeOptions options;
    options.version = version();
    options.host = host_text();
    options.pool.program = own_program();
    options.pool.args = {"worker"};
    options.pool.env = worker_environment();
    options.pool.workers = jobs;
    options.pool.cannot_judge_code = number(ExitCode::cannot_judge);
    return options;
}

}  // namespace tools
