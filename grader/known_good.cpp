// Looks into solutions/.
// Trusts what it finds there: whoever runs the task verified it.
// See known_good.hpp.
#include "grader/known_good.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <utility>

namespace grader {

Result<std::string> known_good(const Task& task, Language language) {
    const std::filesystem::path folder = task.folder / "solutions";
    std::error_code error;
    std::optional<std::filesystem::path> found;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
        const std::string extension = entry.path().extension().string();
        if (extension.empty() || parse_language(extension.substr(1)) != language) continue;
        if (!found || entry.path() < *found) found = entry.path();
    }
    std::ifstream file;
    if (found) file.open(*found, std::ios::binary);
    if (!file.is_open())
        return tl::unexpected(
            Error{Error::Code::bad_input,
                  fmt::format("{} has no solution in {}", folder.string(), name(language))});
    std::ostringstream text;
    text << file.rdbuf();
    return std::move(text).str();
}

}  // namespace grader
