// Reads task.toml and statement.md of a task folder.
// Does not make cases; asks the generator table and the metric table only whether names exist.
// See task.hpp.
#include "grader/task.hpp"

#include "grader/quantities.hpp"
#include "reference/document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <sstream>
#include <system_error>

namespace grader {

namespace {

namespace fs = std::filesystem;
using reference::Table;

constexpr std::array<std::string_view, 5> kToleranceNames{"exact", "absolute", "relative", "either",
                                                          "sum"};
constexpr double kMostTolerance = 1e18;

tl::unexpected<Error> wrong(std::string what) {
    return tl::unexpected(Error{Error::Code::bad_input, std::move(what)});
}

bool is_identifier(std::string_view text) {
    return !text.empty() && std::isdigit(static_cast<unsigned char>(text[0])) == 0 &&
           std::all_of(text.begin(), text.end(),
                       [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

bool is_id(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
        return std::islower(c) != 0 || std::isdigit(c) != 0 || c == '-';
    });
}

std::vector<Language> read_languages(const Table& root) {
    std::vector<Language> languages;
    for (const std::string& text : root.strings("languages")) {
        const auto language = parse_language(text);
        if (!language || name(*language) != text)
            root.mistake("languages", fmt::format("'{}' is not one of cpp, python, lua", text));
        else if (std::find(languages.begin(), languages.end(), *language) != languages.end())
            root.mistake("languages", fmt::format("'{}' stands twice", text));
        else
            languages.push_back(*language);
    }
    if (languages.empty()) root.mistake("languages", "at least one language is needed");
    return languages;
}

sandbox::Limits read_limits(const Table& table) {
    constexpr std::int64_t kDay_ms = 86'400'000;
    auto within = [&](std::string_view key, std::int64_t least, std::int64_t most) {
        return static_cast<std::uint64_t>(table.integer(key, {least, most}));
    };
    auto positive = [&](std::string_view key, std::int64_t most) { return within(key, 1, most); };
    constexpr std::int64_t kMostOutputKib = 8 << 10;  // an answer is one message of a worker
    constexpr std::int64_t kSourceKib = kMaxSourceBytes >> 10U;
    sandbox::Limits limits;
    limits.cpu_time = std::chrono::milliseconds(positive("cpu_ms", kDay_ms));
    limits.wall_time = std::chrono::milliseconds(positive("wall_ms", kDay_ms));
    limits.memory_bytes = positive("memory_mib", 1 << 20) << 20U;
    limits.output_bytes = positive("output_kib", kMostOutputKib) << 10U;
    limits.file_bytes = within("files_kib", 2 * kSourceKib, 1 << 30) << 10U;
    limits.inodes = static_cast<std::uint32_t>(within("inodes", 2, 1 << 24));
    limits.processes = static_cast<std::uint32_t>(positive("processes", 1 << 15));
    limits.open_files = static_cast<std::uint32_t>(within("open_files", 8, 1 << 16));
    // A stopped program uses no CPU: the clock on the wall has to leave room for the other one.
    if (limits.wall_time < 4 * limits.cpu_time + std::chrono::seconds(1))
        table.mistake("wall_ms", "must be at least 4 times cpu_ms plus 1000");
    return limits;
}

void read_cases(const Table& table, Task& task) {
    const auto families = reference::generator_families();
    task.generator = table.one_of("generator", families);
    task.visible_cases = static_cast<std::uint32_t>(table.integer("visible", {1, 1'000}));
    task.hidden_cases = static_cast<std::uint32_t>(table.integer("hidden", {1, 100'000}));
    task.case_limits.max_steps = table.integer("max_steps", {1, 100'000'000});
    task.case_limits.max_iterations =
        table.integer("max_iterations", {1, reference::kMostIterations});
}

Quantity read_quantity(const Table& table) {
    Quantity quantity;
    quantity.pattern = table.string("pattern");
    if (const auto known = check_pattern(quantity.pattern); !known)
        table.mistake("pattern", known.error().what);
    const std::string kind = table.one_of("tolerance", kToleranceNames);
    const auto at = std::find(kToleranceNames.begin(), kToleranceNames.end(), kind);
    if (at == kToleranceNames.end()) return quantity;
    quantity.tolerance.kind = static_cast<Tolerance::Kind>(at - kToleranceNames.begin());
    const bool both = kind == "either" || kind == "sum";
    if (both || kind == "absolute")
        quantity.tolerance.absolute = table.number("absolute", {0, kMostTolerance});
    if (both || kind == "relative") quantity.tolerance.relative = table.number("relative", {0, 1});
    return quantity;
}

Result<std::string> read_text(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream bytes;
    bytes << file.rdbuf();
    std::string text = bytes.str();
    if (!file.is_open() || text.empty())
        return wrong(fmt::format("cannot read '{}': a task needs it", path.string()));
    return text;
}

fs::path without_slash(const fs::path& folder) {
    return folder.has_filename() ? folder : folder.parent_path();
}

Result<std::vector<fs::path>> subfolders(const fs::path& folder) {
    std::error_code error;
    std::vector<fs::path> found;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
        if (at->is_directory(error)) found.push_back(at->path());
    if (error)
        return wrong(
            fmt::format("cannot list tasks in '{}': {}", folder.string(), error.message()));
    std::sort(found.begin(), found.end());
    return found;
}

}  // namespace

Result<Task> load_task(const fs::path& folder) {
    const auto document = reference::Document::read(folder / "task.toml");
    if (!document) return wrong(document.error().what);
    const Table root = document->root();
    Task task;
    task.folder = without_slash(folder);
    task.id = root.string("id");
    task.title = root.string("title");
    task.track = root.string("track");
    task.entry = root.string("entry");
    task.languages = read_languages(root);
    task.limits = read_limits(root.table("limits"));
    read_cases(root.table("cases"), task);
    for (const Table& table : root.tables("quantity"))
        task.quantities.push_back(read_quantity(table));
    if (!is_id(task.id) || task.id != task.folder.filename().string())
        root.mistake("id", "must be the name of the folder: lower-case letters, digits and '-'");
    if (!is_id(task.track)) root.mistake("track", "must be lower-case letters, digits and '-'");
    if (!is_identifier(task.entry)) root.mistake("entry", "must be the name of a function");
    if (const auto done = document->finish(); !done) return wrong(done.error().what);
    if (const auto usable = sandbox::check(task.limits); !usable)
        return wrong(fmt::format("{}: {}", (folder / "task.toml").string(), usable.error().what));
    auto statement = read_text(folder / "statement.md");
    if (!statement) return tl::unexpected(std::move(statement.error()));
    task.statement = std::move(*statement);
    return task;
}

Result<std::vector<Task>> load_tasks(const fs::path& root) {
    auto tracks = subfolders(root);
    if (!tracks) return tl::unexpected(std::move(tracks.error()));
    std::vector<Task> tasks;
    for (const fs::path& track : *tracks) {
        auto folders = subfolders(track);
        if (!folders) return tl::unexpected(std::move(folders.error()));
        for (const fs::path& folder : *folders) {
            auto task = load_task(folder);
            if (!task) return tl::unexpected(std::move(task.error()));
            if (task->track != track.filename().string())
                return wrong(fmt::format("{}: track is '{}', the folder above is '{}'",
                                         (folder / "task.toml").string(), task->track,
                                         track.filename().string()));
            tasks.push_back(std::move(*task));
        }
    }
    std::sort(tasks.begin(), tasks.end(), [](const Task& a, const Task& b) { return a.id < b.id; });
    const auto twice = std::adjacent_find(
        tasks.begin(), tasks.end(), [](const Task& a, const Task& b) { return a.id == b.id; });
    if (twice != tasks.end()) return wrong(fmt::format("two tasks are called '{}'", twice->id));
    if (tasks.empty())
        return wrong(fmt::format("no task in '{}': a task is TRACK/ID/task.toml", root.string()));
    return tasks;
}

}  // namespace grader
