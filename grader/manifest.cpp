// Fields of manifest.json, and which of them must agree.
// Limits are compared as they are written, so a new limit cannot be forgotten here.
// See manifest.hpp.
#include "grader/manifest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace grader {

namespace {

constexpr std::int64_t kVersion = 1;

Json limits_json(const sandbox::Limits& limits) {
    return Json::object({{"cpu_ms", static_cast<std::int64_t>(limits.cpu_time.count())},
                         {"wall_ms", static_cast<std::int64_t>(limits.wall_time.count())},
                         {"memory_bytes", limits.memory_bytes},
                         {"output_bytes", limits.output_bytes},
                         {"file_bytes", limits.file_bytes},
                         {"inodes", limits.inodes},
                         {"processes", limits.processes},
                         {"open_files", limits.open_files}});
}

Json task_json(const TaskManifest& task) {
    return Json::object({{"task", task.id},
                         {"hidden_sha256", task.hidden_sha256},
                         {"visible_cases", task.visible_cases},
                         {"hidden_cases", task.hidden_cases},
                         {"limits", limits_json(task.limits)}});
}

/// The members that must agree, in the order in which a difference is worth naming.
Json binding_json(const Manifest& manifest) {
    Json tasks = Json::array();
    for (const TaskManifest& task : manifest.tasks) tasks.push(task_json(task));
    return Json::object({{"version", kVersion},
                         {"seed_sha256", manifest.seed_sha256},
                         {"public_seed", manifest.public_seed},
                         {"repeats", manifest.repeats},
                         {"tasks", std::move(tasks)}});
}

std::string show(const Json* value) {
    return value ? dump(*value) : std::string("absent");
}

/// The first member that differs, as "member is X there and Y now"; "" if none does.
std::string first_difference(const Json& recorded, const Json& now) {
    for (const Json::Member& member : *now.members()) {
        const Json* old_value = recorded.find(member.key);
        if (old_value && *old_value == member.value) continue;
        const bool nested = old_value && old_value->members() && member.value.members();
        if (nested) return first_difference(*old_value, member.value);
        return fmt::format("{} is {} there and {} now", member.key, show(old_value),
                           dump(member.value));
    }
    return {};
}

const Json* find_task(const Json& recorded, std::string_view id) {
    const Json* tasks = recorded.find("tasks");
    if (!tasks || !tasks->array_items()) return nullptr;
    for (const Json& task : *tasks->array_items()) {
        const Json* name = task.find("task");
        if (name && name->string() && *name->string() == id) return &task;
    }
    return nullptr;
}

std::string task_difference(const Json& recorded, const Json& now) {
    for (const Json& task : *now.find("tasks")->array_items()) {
        const std::string& id = *task.find("task")->string();
        const Json* old_task = find_task(recorded, id);
        if (!old_task) continue;  // a task that is new has no results yet
        std::string text = first_difference(*old_task, task);
        if (!text.empty()) return fmt::format("task {}: {}", id, text);
    }
    return {};
}

}  // namespace

Json manifest_json(const Manifest& manifest, const Json::Object& facts) {
    Json object = binding_json(manifest);
    object.set("perfjudge", manifest.version);
    for (const Json::Member& fact : facts) object.set(fact.key, fact.value);
    return object;
}

Result<std::optional<std::string>> difference(const Json& recorded, const Manifest& now) {
    const Result<std::int64_t> version = get_int(recorded, "version", {kVersion, kVersion});
    if (!version) return tl::unexpected(version.error());
    Json binding = binding_json(now);
    const Json tasks = *binding.find("tasks");
    Json top = Json::object();
    for (const Json::Member& member : *binding.members())
        if (member.key != "tasks") top.set(member.key, member.value);
    std::string text = first_difference(recorded, top);
    if (text.empty()) text = task_difference(recorded, binding);
    if (text.empty()) return std::optional<std::string>();
    return std::optional<std::string>(text +
                                      "; give the options and tasks of that run, or another --out");
}

}  // namespace grader
