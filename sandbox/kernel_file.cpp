// Opens, reads or writes, closes.
// Keeps nothing.
// See kernel_file.hpp.
#include "sandbox/kernel_file.hpp"

#include "sandbox/unique_fd.hpp"

#include <cerrno>
#include <fstream>
#include <iterator>

#include <fcntl.h>
#include <unistd.h>

namespace sandbox {

std::string text_of(const std::filesystem::path& path) {
    std::ifstream stream(path);
    return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

int put_text(const std::filesystem::path& path, const std::string& text) {
    const UniqueFd file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (!file.valid()) return errno;
    return ::write(file.get(), text.data(), text.size()) < 0 ? errno : 0;
}

}  // namespace sandbox
