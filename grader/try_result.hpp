// What one try of a job has brought so far: cases judged as they come, in order, without a gap.
// Keeps no output of a case: a megabyte each would add up.
// Used by runner.cpp.
#pragma once

#include "grader/cases.hpp"
#include "grader/protocol.hpp"
#include "grader/record.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace grader {

/// A repeat that has ended, ready to be recorded.
struct EndedRepeat {
    Repeat repeat;
    Json::Array details;
};

class TryResult {
  public:
    /// Repeats are counted from 0 within a try.
    TryResult(const Cases& cases, std::uint32_t visible, std::uint32_t repeats);

    /// Errors: judge_error if the message is out of order.
    Result<void> add(const Built& built);
    /// The repeat that has ended with this case; or the one before, if that had been cut short.
    Result<std::optional<EndedRepeat>> add(const CaseDone& done);
    /// The end of the job: a last repeat that was cut short, or the one without cases of a
    /// submission that was not built. Errors: judge_error if something is missing.
    Result<std::optional<EndedRepeat>> finish();

    [[nodiscard]] const BuildOutput* build() const { return build_ ? &*build_ : nullptr; }
    /// Everything was built, ran and passed so far.
    [[nodiscard]] bool all_passed() const { return all_passed_; }

  private:
    Result<std::optional<EndedRepeat>> take_repeat();

    const Cases& cases_;
    std::uint32_t visible_, repeats_;
    std::uint32_t ended_ = 0;  // repeats
    std::optional<BuildOutput> build_;
    EndedRepeat current_;
    bool all_passed_ = true;
};

}  // namespace grader
