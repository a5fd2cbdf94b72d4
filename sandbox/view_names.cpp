// The words for profiles.
// Does not know what a view shows.
// See view.hpp; apart from view.cpp because the helper needs the words only.
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

}  // namespace sandbox
