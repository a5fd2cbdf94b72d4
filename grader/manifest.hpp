// What a batch was run with: OUT/manifest.json. Two results are comparable where these agree.
// Does not touch files: store.hpp does.
// Made by the coordinator at its start; compared on --resume.
#pragma once

#include "grader/error.hpp"
#include "grader/json.hpp"
#include "sandbox/limits.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace grader {

struct TaskManifest {
    std::string id;
    std::string hidden_sha256;  // of the hidden inputs
    std::uint32_t visible_cases = 0;
    std::uint32_t hidden_cases = 0;
    sandbox::Limits limits;
};

struct Manifest {
    std::string version;      // of perfjudge
    std::string seed_sha256;  // of the hidden seed
    bool public_seed = false;
    std::uint32_t repeats = 1;
    std::vector<TaskManifest> tasks;  // sorted by id
};

/// Facts beside it that need not agree: host, mode, tools, how the submissions were read.
Json manifest_json(const Manifest& manifest, const Json::Object& facts);

/// Why results made with `recorded` (a manifest.json) cannot be continued with `now`; none if they
/// can. The text names what differs and what to do.
/// Errors: bad_input if `recorded` is no manifest of this version.
Result<std::optional<std::string>> difference(const Json& recorded, const Manifest& now);

}  // namespace grader
