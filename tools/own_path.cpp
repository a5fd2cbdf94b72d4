// Paths relative to this program.
// Reads no environment: what is started must not depend on it.
// See own_path.hpp.
#include "tools/own_path.hpp"

#include <system_error>

namespace tools {

namespace fs = std::filesystem;

fs::path own_program() {
    std::error_code error;
    return fs::read_symlink("/proc/self/exe", error);
}

fs::path helper_program() {
    std::error_code error;
    const fs::path here = own_program().parent_path();
    const fs::path built = here / "../sandbox/helper/perfjudge-jail";
    const fs::path installed = here / "../libexec/perfjudge/perfjudge-jail";
    return (fs::exists(built, error) ? built : installed).lexically_normal();
}

}  // namespace tools
