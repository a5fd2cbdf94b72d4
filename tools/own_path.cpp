// Paths relative to this program.
// Reads no environment: what is started must not depend on it.
// See own_path.hpp.
#include "tools/own_path.hpp"

#include <system_error>

namespace tools {

namespace fs = std::filesystem;

namespace {

/// The helper beside us says whether we lie in a build folder.
fs::path part(const char* built, const char* installed) {
    std::error_code error;
    const fs::path here = own_program().parent_path();
    const bool is_built = fs::exists(here / "../sandbox/helper/perfjudge-jail", error);
    return (here / (is_built ? built : installed)).lexically_normal();
}

}  // namespace

fs::path own_program() {
    std::error_code error;
    return fs::read_symlink("/proc/self/exe", error);
}

fs::path helper_program() {
    return part("../sandbox/helper/perfjudge-jail", "../libexec/perfjudge/perfjudge-jail");
}

fs::path corpus_folder() {
    return part("../../tests/hostile", "../share/perfjudge/hostile");
}

fs::path tasks_folder() {
    return part("../../tasks", "../share/perfjudge/tasks");
}

}  // namespace tools
