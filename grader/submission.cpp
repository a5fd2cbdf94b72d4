// Drafts to a batch: tasks checked, samples numbered, equal keys compared, everything sorted.
// Does not read files or JSON.
// See submission.hpp.
#include "grader/submission.hpp"

#include "grader/json.hpp"
#include "grader/sha256.hpp"
#include "grader/submission_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>

namespace grader {

namespace {

using DraftList = std::vector<Draft>;

/// Takes the drafts without a usable key out, as problems.
void sort_out_problems(DraftList& drafts, const std::set<std::string>& known_tasks, Batch& batch) {
    DraftList kept;
    kept.reserve(drafts.size());
    for (Draft& draft : drafts) {
        if (draft.task_index && *draft.task_index < known_tasks.size())
            draft.task =
                *std::next(known_tasks.begin(), static_cast<std::ptrdiff_t>(*draft.task_index));
        else if (draft.task_index)
            draft.problem =
                fmt::format("list {} of {} tasks", *draft.task_index + 1, known_tasks.size());
        if (draft.problem.empty() && !known_tasks.contains(draft.task))
            draft.problem = fmt::format("unknown task {}", quoted(draft.task));
        if (draft.problem.empty())
            kept.push_back(std::move(draft));
        else
            batch.problems.push_back({std::move(draft.where), std::move(draft.problem)});
    }
    drafts = std::move(kept);
}

/// A request that failed has no body to name its model. Where all others are of one model, it was
/// theirs; else nobody can say whose denominator it is in.
void name_models(DraftList& drafts, Batch& batch) {
    std::set<std::string> models;
    for (const Draft& draft : drafts)
        if (draft.model) models.insert(*draft.model);
    DraftList kept;
    kept.reserve(drafts.size());
    for (Draft& draft : drafts) {
        if (!draft.model && !draft.why.empty() && models.size() > 1) {
            batch.problems.push_back(
                {std::move(draft.where), draft.why + "; no \"model\", and the input has several"});
            continue;
        }
        if (!draft.model) draft.model = draft.why.empty() || models.empty() ? "" : *models.begin();
        kept.push_back(std::move(draft));
    }
    drafts = std::move(kept);
}

auto content_of(const Draft& draft) {
    return std::tie(draft.text, draft.is_code, draft.language, draft.finish_reason, draft.why);
}

/// Drafts of one task, model and round that name no sample, in an order that only their bytes
/// decide.
void number_samples(std::vector<Draft*>& open, std::set<std::int64_t>& taken) {
    std::vector<std::pair<std::string, Draft*>> sorted;
    for (Draft* draft : open) sorted.emplace_back(sha256_hex(draft->text), draft);
    std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
        if (a.first != b.first) return a.first < b.first;
        const auto left = content_of(*a.second), right = content_of(*b.second);
        return left != right ? left < right : a.second->where < b.second->where;
    });
    std::int64_t next = 0;
    for (auto& [digest, draft] : sorted) {
        while (!taken.insert(next).second) ++next;
        draft->sample = next;
    }
}

void number_all(DraftList& drafts) {
    struct Group {
        std::vector<Draft*> open;
        std::set<std::int64_t> taken;
    };
    std::map<std::tuple<std::string, std::string, std::int64_t>, Group> groups;
    for (Draft& draft : drafts) {
        Group& group = groups[{draft.task, *draft.model, draft.round}];
        if (draft.sample)
            group.taken.insert(*draft.sample);
        else
            group.open.push_back(&draft);
    }
    for (auto& [key, group] : groups) number_samples(group.open, group.taken);
}

Submission submission_of(Draft& draft, const Key& key) {
    return {key,
            draft.language,
            std::move(draft.text),
            draft.is_code,
            std::move(draft.finish_reason),
            std::move(draft.where)};
}

std::string places(std::span<Draft*> drafts) {
    constexpr std::size_t kMost = 5;
    std::string all;
    for (std::size_t i = 0; i < drafts.size() && i < kMost; ++i)
        all += (i == 0 ? "" : ", ") + drafts[i]->where;
    return drafts.size() > kMost ? fmt::format("{} and {} more", all, drafts.size() - kMost) : all;
}

/// All drafts of one key. A reply beside failed requests for the same key is graded.
void settle(const Key& key, std::vector<Draft*>& drafts, Batch& batch) {
    std::sort(drafts.begin(), drafts.end(),
              [](const Draft* a, const Draft* b) { return a->where < b->where; });
    std::vector<Draft*> replies;
    std::copy_if(drafts.begin(), drafts.end(), std::back_inserter(replies),
                 [](const Draft* draft) { return draft->why.empty(); });
    if (replies.empty()) {
        const auto* first =
            *std::min_element(drafts.begin(), drafts.end(), [](const Draft* a, const Draft* b) {
                return std::tie(a->why, a->where) < std::tie(b->why, b->where);
            });
        batch.ungraded.push_back({key, first->where, first->why});
        batch.duplicates += drafts.size() - 1;
        return;
    }
    const bool same = std::all_of(replies.begin(), replies.end(), [&](const Draft* reply) {
        return content_of(*reply) == content_of(*replies.front());
    });
    if (!same) {
        batch.ungraded.push_back(
            {key, places(replies),
             fmt::format("{} replies with one key that are not equal", replies.size())});
        return;
    }
    batch.duplicates += drafts.size() - 1;
    batch.submissions.push_back(submission_of(*replies.front(), key));
}

void settle_all(DraftList& drafts, Batch& batch) {
    std::map<Key, std::vector<Draft*>> by_key;
    for (Draft& draft : drafts)
        by_key[{draft.task, *draft.model, *draft.sample, draft.round}].push_back(&draft);
    for (auto& [key, group] : by_key) settle(key, group, batch);
}

}  // namespace

Result<Batch> read_submissions(std::span<const std::filesystem::path> inputs,
                               const std::set<std::string>& known_tasks) {
    Collected collected;
    for (const std::filesystem::path& input : inputs)
        if (auto read = collect(input, known_tasks, collected); !read)
            return tl::unexpected(std::move(read).error());
    if (collected.lines_read == 0) {
        std::string what = "no submissions were found";
        if (!collected.drafts.empty())
            what += fmt::format(": {}: {}", collected.drafts[0].where, collected.drafts[0].problem);
        return tl::unexpected(Error{Error::Code::bad_input, std::move(what)});
    }
    Batch batch;
    batch.lines_read = collected.lines_read;
    batch.replaced = collected.replaced;
    sort_out_problems(collected.drafts, known_tasks, batch);
    name_models(collected.drafts, batch);
    number_all(collected.drafts);
    settle_all(collected.drafts, batch);
    return batch;
}

}  // namespace grader
