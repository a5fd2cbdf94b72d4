// Words for endings and limiters, as reports print them.
// Does not decide anything.
// See outcome.hpp.
#include "sandbox/outcome.hpp"

namespace sandbox {

std::string_view name(Ending ending) {
    switch (ending) {
        case Ending::exited:
            return "exited";
        case Ending::signaled:
            return "signaled";
        case Ending::cpu_limit:
            return "cpu_limit";
        case Ending::wall_limit:
            return "wall_limit";
        case Ending::memory_limit:
            return "memory_limit";
        case Ending::output_limit:
            return "output_limit";
        case Ending::policy_violation:
            return "policy_violation";
    }
    return "";
}

std::string_view name(Limiter limiter) {
    switch (limiter) {
        case Limiter::none:
            return "none";
        case Limiter::cgroup:
            return "cgroup";
        case Limiter::rlimit:
            return "rlimit";
        case Limiter::sampled:
            return "sampled";
        case Limiter::keeper:
            return "keeper";
        case Limiter::mount:
            return "mount";
    }
    return "";
}

}  // namespace sandbox
