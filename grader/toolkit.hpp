// What a worker needs once for all submissions: views of the jails, the C++ entry object and
// precompiled header, the Lua host. Does not build submissions: build.hpp does.
// Made by worker.cpp at its start.
#pragma once

#include "grader/error.hpp"
#include "grader/language.hpp"
#include "sandbox/jail.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace grader {

struct Toolkit {
    sandbox::Image lua_host;
    // Folder with perfmodel.hpp, perfmodel.hpp.gch and entry.o, as the compile jail sees it.
    std::string cpp_folder;
};

/// Where the cache folder appears in the compile jail.
inline constexpr std::string_view kCacheInJail = "/perfjudge";

/// Makes the cache folder: readable by jails, writable by us only.
/// Errors: cannot_judge if it cannot be made, or if it is somebody else's.
Result<void> prepare_cache(const std::filesystem::path& cache);

/// The views that a worker's supervisor needs; `missing` gets a line per profile that this host
/// lacks. Beside `helper` lies the library that makes Python a zygote.
std::vector<sandbox::View> toolkit_views(const std::filesystem::path& cache,
                                         const std::filesystem::path& helper,
                                         std::vector<std::string>& missing);

/// First line that a language's tool prints about itself, in its jail.
Result<std::string> tool_version(sandbox::Supervisor& supervisor, Language language);

/// Builds what C++ submissions are compiled with, in the compile jail, unless `cache` has it for
/// this very compiler. Several workers may do so at once. Gives the folder's path inside the jail.
/// Errors: cannot_judge with the compiler's words.
Result<std::string> prepare_cpp(sandbox::Supervisor& supervisor, const std::filesystem::path& cache,
                                std::string_view compiler_version);

}  // namespace grader
