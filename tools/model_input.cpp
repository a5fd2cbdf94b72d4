// Finds out what kind of file it is and calls the reader of that kind.
// Does not read formats itself: reference/ does.
// See model_input.hpp.
#include "tools/model_input.hpp"

#include "grader/json.hpp"
#include "grader/line_reader.hpp"
#include "reference/document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

namespace tools {

namespace {

using reference::Error;
using reference::Result;

constexpr std::size_t kMaxFileBytes = std::size_t{16} << 20U;

struct InputFile {
    std::string name;
    std::string text;
    bool toml = false;
};

/// TOML begins with a comment, a table or `key =`; YAML and JSON with `key:`, `-` or `{`.
bool looks_like_toml(std::string_view text) {
    while (!text.empty()) {
        std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(text.size(), line.size() + 1));
        const auto start = line.find_first_not_of(" \t\r");
        if (start == std::string_view::npos || line[start] == '#') continue;
        line.remove_prefix(start);
        return line[0] == '[' || line.find('=') < line.find(':');
    }
    return false;
}

Result<InputFile> read_input(const std::filesystem::path& path) {
    auto text = grader::read_all(path, kMaxFileBytes);
    if (!text) return tl::unexpected(Error{Error::Code::unreadable, std::move(text).error().what});
    InputFile file{path.string(), std::move(*text), false};
    const std::filesystem::path extension = path.extension();
    const bool timeloop = extension == ".yaml" || extension == ".yml" || extension == ".json";
    file.toml = extension == ".toml" || (!timeloop && looks_like_toml(file.text));
    return file;
}

tl::unexpected<Error> not_toml(const InputFile& file) {
    return tl::unexpected(Error{Error::Code::unreadable, file.name + ": is not TOML"});
}

}  // namespace

Result<reference::Workload> load_problem(const std::filesystem::path& file) {
    auto input = read_input(file);
    if (!input) return tl::unexpected(std::move(input).error());
    if (!input->toml) return not_toml(*input);
    auto document = reference::Document::parse(input->text, input->name);
    if (!document) return tl::unexpected(std::move(document).error());
    return reference::read_workload(*document);
}

Result<reference::Architecture> load_architecture(const std::filesystem::path& file) {
    auto input = read_input(file);
    if (!input) return tl::unexpected(std::move(input).error());
    if (!input->toml) return not_toml(*input);
    auto document = reference::Document::parse(input->text, input->name);
    if (!document) return tl::unexpected(std::move(document).error());
    return reference::read_architecture(*document);
}

Result<reference::Mapping> load_mapping(const std::filesystem::path& file,
                                        const reference::Workload& workload,
                                        const reference::Architecture& architecture) {
    auto input = read_input(file);
    if (!input) return tl::unexpected(std::move(input).error());
    if (!input->toml) return not_toml(*input);
    auto document = reference::Document::parse(input->text, input->name);
    if (!document) return tl::unexpected(std::move(document).error());
    return reference::read_mapping(*document, workload, architecture);
}

Result<reference::Case> load_case(const ModelFiles& files) {
    auto workload = load_problem(files.problem);
    if (!workload) return tl::unexpected(std::move(workload).error());
    auto architecture = load_architecture(files.architecture);
    if (!architecture) return tl::unexpected(std::move(architecture).error());
    auto mapping = load_mapping(files.mapping, *workload, *architecture);
    if (!mapping) return tl::unexpected(std::move(mapping).error());
    return reference::Case{std::move(*workload), std::move(*architecture), std::move(*mapping)};
}

}  // namespace tools
