// Chooses the answer among the fenced blocks of a reply and says by which rule.
// Does not read Markdown or programs itself: markdown.hpp and definition.hpp do.
// See extract.hpp.
#include "grader/extract.hpp"

#include "grader/definition.hpp"
#include "grader/markdown.hpp"

#include <algorithm>
#include <array>

namespace grader {

namespace {

constexpr std::string_view kSpace = " \t\r\n";

bool is_space(std::string_view text) {
    return text.find_first_not_of(kSpace) == std::string_view::npos;
}

/// What the various servers call "the reply hit the token limit".
bool is_cut(std::string_view finish_reason) {
    constexpr std::array<std::string_view, 6> kCut{"length",     "max_tokens", "model_length",
                                                   "MAX_TOKENS", "incomplete", "max_output_tokens"};
    return std::find(kCut.begin(), kCut.end(), finish_reason) != kCut.end();
}

bool has(std::string_view text, std::string_view piece) {
    return text.find(piece) != std::string_view::npos;
}

std::vector<std::string> hints_in(std::string_view code) {
    struct Hint {
        std::string_view piece, name;
    };
    constexpr std::array kHints{
        Hint{"&lt;", "html_entities"},        Hint{"&gt;", "html_entities"},
        Hint{"&quot;", "html_entities"},      Hint{"&#39;", "html_entities"},
        Hint{"&amp;", "html_entities"},       Hint{"\x1b[", "terminal_escapes"},
        Hint{"\uFEFF", "byte_order_mark"},    Hint{"\u200B", "zero_width_space"},
        Hint{"\u00A0", "non_breaking_space"}, Hint{"\u201C", "curly_quotes"},
        Hint{"\u201D", "curly_quotes"},       Hint{"\u2018", "curly_quotes"},
        Hint{"\u2019", "curly_quotes"},       Hint{"\uFFFD", "replaced_characters"},
    };
    std::vector<std::string> found;
    for (const Hint& hint : kHints) {
        if (!has(code, hint.piece)) continue;
        if (found.empty() || found.back() != hint.name) found.emplace_back(hint.name);
    }
    return found;
}

struct Candidate {
    const FencedBlock* block = nullptr;
    std::optional<Language> language;  // none: untagged, and its form does not say
    bool defining = false;
};

class Extractor {
  public:
    Extractor(const Submission& submission, std::span<const Language> languages,
              std::string_view entry)
        : submission_(submission), languages_(languages.begin(), languages.end()), entry_(entry) {
        if (submission_.language)
            std::erase_if(languages_, [&](Language one) { return one != *submission_.language; });
    }

    Extraction run() {
        result_.truncated = is_cut(submission_.finish_reason);
        if (languages_.empty())
            fail(Reason::no_code, "language_not_of_task");
        else if (submission_.is_code)
            take_all();
        else
            choose(read_markdown(submission_.text));
        return std::move(result_);
    }

  private:
    void fail(Reason reason, std::string_view rule) {
        result_.reason = reason;
        result_.rule = rule;
    }

    void accept(std::string_view code, std::optional<Language> language, std::string_view rule) {
        result_.hints = hints_in(code);
        if (has(code, std::string_view("\0", 1))) return fail(Reason::wrong_format, "nul_in_code");
        if (!language && ambiguous_) return fail(Reason::no_code, "ambiguous_language");
        if (!language) return fail(Reason::no_code, "language_unknown");
        result_.source = Source{*language, std::string(code)};
        result_.rule = rule;
    }

    void take_all() {
        if (is_space(submission_.text)) return fail(Reason::no_code, "empty");
        result_.candidates = 1;
        const Candidate whole = classify(submission_.text);
        accept(submission_.text, whole.language, "as_given");
    }

    /// Language of untagged code: the only one possible, or the only one in which it defines the
    /// entry point. Two of those: none, and the result says so.
    Candidate classify(std::string_view code) {
        Candidate candidate;
        std::vector<Language> defining;
        for (const Language language : languages_)
            if (defines(code, language, entry_)) defining.push_back(language);
        candidate.defining = !defining.empty();
        if (languages_.size() == 1)
            candidate.language = languages_.front();
        else if (defining.size() == 1)
            candidate.language = defining.front();
        ambiguous_ = defining.size() > 1;
        return candidate;
    }

    std::optional<Candidate> candidate_of(const FencedBlock& block) {
        Candidate candidate;
        if (block.info.empty()) {
            candidate.block = &block;
            return candidate;
        }
        const auto language = language_of_tag(block.info);
        if (!language ||
            std::find(languages_.begin(), languages_.end(), *language) == languages_.end())
            return std::nullopt;
        candidate.block = &block;
        candidate.language = language;
        return candidate;
    }

    void choose(const Markdown& markdown) {
        std::vector<Candidate> candidates;
        for (const FencedBlock& block : markdown.blocks)
            if (const auto candidate = candidate_of(block)) candidates.push_back(*candidate);
        drop_stray_fence(candidates);
        result_.candidates = static_cast<std::uint32_t>(candidates.size());
        result_.truncated |= markdown.unclosed_reasoning ||
                             (!candidates.empty() && !candidates.back().block->closed) ||
                             (!markdown.blocks.empty() && !markdown.blocks.back().closed &&
                              !markdown.blocks.back().info.empty());
        if (text_before_lone_fence(markdown)) return;
        if (candidates.empty()) return explain_nothing(markdown);
        if (!candidates.back().block->closed) {
            result_.hints = hints_in(candidates.back().block->content);
            return fail(Reason::truncated, "unclosed_block");
        }
        take(candidates, markdown);
    }

    /// A fence without a tag that opens nothing, at the end of a reply, is a stray closing fence.
    static void drop_stray_fence(std::vector<Candidate>& candidates) {
        if (candidates.empty()) return;
        const FencedBlock& last = *candidates.back().block;
        if (!last.closed && last.info.empty() && is_space(last.content)) candidates.pop_back();
    }

    /// A prompt that ended with an opening fence leaves only the closing one in the reply.
    bool text_before_lone_fence(const Markdown& markdown) {
        const bool lone = markdown.fence_lines == 1 && markdown.blocks.size() == 1 &&
                          markdown.blocks.front().info.empty();
        if (!lone) return false;
        const std::string_view before = std::string_view(submission_.text)
                                            .substr(0, markdown.first_fence)
                                            .substr(markdown.text_begin);
        const Candidate behind = classify(markdown.blocks.front().content);
        const Candidate text = classify(before);
        if (!text.defining || behind.defining) return false;
        result_.candidates = 1;
        result_.truncated = is_cut(submission_.finish_reason);
        accept(before, text.language, "text_before_lone_fence");
        return true;
    }

    void explain_nothing(const Markdown& markdown) {
        const std::string_view text = submission_.text;
        const std::string_view answer = text.substr(markdown.text_begin);
        const bool diff = looks_like_diff(answer) || any_diff(markdown);
        if (diff) return fail(Reason::wrong_format, "diff");
        const bool stopped = submission_.finish_reason == "stop";
        if (markdown.unclosed_reasoning && !stopped)
            return fail(Reason::truncated, "unclosed_reasoning");
        if (is_cut(submission_.finish_reason)) return fail(Reason::truncated, "cut_before_code");
        if (is_space(text)) return fail(Reason::no_code, "empty");
        const bool tagged =
            std::any_of(markdown.blocks.begin(), markdown.blocks.end(),
                        [](const FencedBlock& block) { return !block.info.empty(); });
        if (tagged) return fail(Reason::no_code, "no_block_of_a_task_language");
        // Said, not used: prose and code cannot be told apart without a fence.
        if (classify(answer).defining) return fail(Reason::no_code, "no_block_but_definition");
        fail(Reason::no_code, "no_block");
    }

    static bool any_diff(const Markdown& markdown) {
        return std::any_of(
            markdown.blocks.begin(), markdown.blocks.end(), [](const FencedBlock& block) {
                return block.info.starts_with("diff") || block.info.starts_with("patch") ||
                       looks_like_diff(block.content);
            });
    }

    void take(std::vector<Candidate>& candidates, const Markdown& markdown) {
        const auto chosen = last_defining(candidates);
        const Candidate& answer = chosen ? candidates[*chosen] : candidates.back();
        result_.other_policies_differ = others_differ(candidates, answer.block->content);
        if (looks_like_diff(answer.block->content)) return fail(Reason::wrong_format, "diff");
        if (!chosen) {
            if (any_diff(markdown)) return fail(Reason::wrong_format, "diff");
            if (is_cut(submission_.finish_reason))
                return fail(Reason::truncated, "cut_before_code");
        }
        accept(answer.block->content, answer.language,
               chosen ? "last_defining_block" : "last_block");
    }

    /// From the end, so that no block is read that cannot matter.
    std::optional<std::size_t> last_defining(std::vector<Candidate>& candidates) {
        for (std::size_t i = candidates.size(); i-- > 0;) {
            Candidate& candidate = candidates[i];
            const std::string_view code = candidate.block->content;
            if (candidate.language) {
                candidate.defining = defines(code, *candidate.language, entry_);
            } else {
                const Candidate read = classify(code);
                candidate.language = read.language;
                candidate.defining = read.defining;
            }
            if (candidate.defining) return i;
        }
        return std::nullopt;
    }

    static bool others_differ(const std::vector<Candidate>& candidates, std::string_view taken) {
        const auto longest = std::max_element(
            candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
                return a.block->content.size() < b.block->content.size();
            });
        return candidates.front().block->content != taken ||
               candidates.back().block->content != taken || longest->block->content != taken;
    }

    const Submission& submission_;
    std::vector<Language> languages_;
    std::string_view entry_;
    bool ambiguous_ = false;
    Extraction result_;
};

}  // namespace

Extraction extract(const Submission& submission, std::span<const Language> languages,
                   std::string_view entry) {
    return Extractor(submission, languages, entry).run();
}

}  // namespace grader
