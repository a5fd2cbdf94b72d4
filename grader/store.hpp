// The result folder: manifest.json, results.jsonl (append-only, private), verdicts.jsonl and
// summary.json. A process killed at any moment leaves whole lines and at most one torn last one.
// Does not know what a line means: record.hpp does.
// Called by the coordinator.
#pragma once

#include "grader/error.hpp"
#include "grader/json.hpp"
#include "sandbox/unique_fd.hpp"

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace grader {

/// Move-only; while it lives nobody else can open the same folder.
class Store {
  public:
    /// A new folder, or an empty one. Errors: bad_input if it holds anything; the text names
    /// --resume.
    static Result<Store> create(const std::filesystem::path& folder);
    /// A folder of an earlier run. A torn last line of results.jsonl is cut off. An empty folder is
    /// one of a run that was killed early. Errors: bad_input if it is absent or holds other things.
    static Result<Store> resume(const std::filesystem::path& folder);

    /// What manifest.json says; null in a new folder. Errors: bad_input if it cannot be read.
    [[nodiscard]] Result<Json> manifest() const;
    /// Calls `use` with each line of results.jsonl and its number from 1; stops at its first Error.
    [[nodiscard]] Result<void> read_results(
        const std::function<Result<void>(std::string_view, std::size_t)>& use) const;

    /// One line, without its newline. When this returns, no kill of ours can lose it; the disk has
    /// it at the latest a second later, or at the next line.
    Result<void> append(std::string_view line);
    /// Replaces a file as a whole: it is either the old one or the new one.
    Result<void> write(std::string_view name, std::string_view bytes);
    /// Removes files that are out of date as soon as there are new results.
    Result<void> remove(std::string_view name);
    /// Everything on the disk.
    Result<void> sync();

  private:
    Store(std::filesystem::path folder, sandbox::UniqueFd results);
    static Result<Store> open(const std::filesystem::path& folder);
    std::filesystem::path folder_;
    sandbox::UniqueFd results_;
    std::chrono::steady_clock::time_point synced_{};
};

}  // namespace grader
