// Finds out what kind of file it is and calls the reader of that kind.
// Does not read formats itself: reference/ does.
// See model_input.hpp.
#include "tools/model_input.hpp"

#include "grader/json.hpp"
#include "grader/line_reader.hpp"
#include "reference/document.hpp"
#include "reference/timeloop_yaml.hpp"

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
    if (!text) {
        // An error while opening names the file, one while reading does not.
        const std::string what = std::move(text).error().what;
        const std::string name = grader::quoted(path.native());
        const bool named = what.find(name) != std::string::npos;
        return tl::unexpected(Error{Error::Code::unreadable, named ? what : name + ": " + what});
    }
    InputFile file{path.string(), std::move(*text), false};
    const std::filesystem::path extension = path.extension();
    const bool timeloop = extension == ".yaml" || extension == ".yml" || extension == ".json";
    file.toml = extension == ".toml" || (!timeloop && looks_like_toml(file.text));
    return file;
}

reference::TimeloopText timeloop(const InputFile& file) {
    return {file.text, file.name};
}

/// The document of a TOML file, for a reader of ours.
template <class T, class Read>
Result<T> from_toml(const InputFile& file, Read read) {
    auto document = reference::Document::parse(file.text, file.name);
    if (!document) return tl::unexpected(std::move(document).error());
    return read(*document);
}

Result<reference::Workload> problem_of(const InputFile& file) {
    if (!file.toml) return reference::read_timeloop_problem(timeloop(file));
    return from_toml<reference::Workload>(file, reference::read_workload);
}

Result<reference::Architecture> architecture_of(const InputFile& file) {
    if (!file.toml) return reference::read_timeloop_architecture(timeloop(file));
    return from_toml<reference::Architecture>(file, reference::read_architecture);
}

Result<reference::Mapping> mapping_of(const InputFile& file, const reference::Workload& workload,
                                      const reference::Architecture& architecture) {
    if (!file.toml) return reference::read_timeloop_mapping(timeloop(file), workload, architecture);
    return from_toml<reference::Mapping>(file, [&](const reference::Document& document) {
        return reference::read_mapping(document, workload, architecture);
    });
}

}  // namespace

Result<reference::Workload> load_problem(const std::filesystem::path& file) {
    const auto input = read_input(file);
    if (!input) return tl::unexpected(input.error());
    return problem_of(*input);
}

Result<reference::Architecture> load_architecture(const std::filesystem::path& file) {
    const auto input = read_input(file);
    if (!input) return tl::unexpected(input.error());
    return architecture_of(*input);
}

Result<reference::Case> load_case(const ModelFiles& files) {
    const auto problem = read_input(files.problem);
    if (!problem) return tl::unexpected(problem.error());
    const auto architecture = read_input(files.architecture);
    if (!architecture) return tl::unexpected(architecture.error());
    const auto mapping = read_input(files.mapping);
    if (!mapping) return tl::unexpected(mapping.error());
    // Together, as nodes of an architecture may constrain the mapping.
    if (!problem->toml && !architecture->toml && !mapping->toml)
        return reference::read_timeloop_case(timeloop(*problem), timeloop(*architecture),
                                             timeloop(*mapping));
    reference::Case input;
    auto workload = problem_of(*problem);
    if (!workload) return tl::unexpected(std::move(workload).error());
    input.workload = std::move(*workload);
    auto levels = architecture_of(*architecture);
    if (!levels) return tl::unexpected(std::move(levels).error());
    input.architecture = std::move(*levels);
    auto loops = mapping_of(*mapping, input.workload, input.architecture);
    if (!loops) return tl::unexpected(std::move(loops).error());
    input.mapping = std::move(*loops);
    return input;
}

}  // namespace tools
