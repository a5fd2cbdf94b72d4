// The words for profiles and modes.
// Does not know what a view shows.
// See view.hpp and mode.hpp; apart from view.cpp because the helper needs the words only.
#include "sandbox/mode.hpp"
#include "sandbox/view.hpp"

namespace sandbox {

std::string_view name(Profile profile) {
    switch (profile) {
        case Profile::native:
            return "native";
        case Profile::compile:
            return "compile";
        case Profile::lua:
            return "lua";
        case Profile::python:
            return "python";
        case Profile::shell:
            return "shell";
    }
    return "";
}

std::string_view name(Mode mode) {
    return mode == Mode::full ? "full" : "portable";
}

}  // namespace sandbox
