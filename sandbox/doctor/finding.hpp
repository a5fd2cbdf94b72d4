// What a probe of the host found, and what that means for a promise of the jail.
// Prints nothing: tools/doctor_report.cpp does.
// Made by everything in sandbox/doctor/.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sandbox::doctor {

/// limited: grading is possible, a promise is weaker. missing: it is not there at all.
enum class State : std::uint8_t { ok, limited, missing };
std::string_view name(State state);

struct Finding {
    std::string area;  // "host", "namespaces", ...
    std::string name;
    State state = State::ok;
    std::string found;    // what was seen, or what the kernel answered
    std::string meaning;  // for which promise
    std::string remedy;   // one line; empty where there is nothing to do
};

}  // namespace sandbox::doctor
