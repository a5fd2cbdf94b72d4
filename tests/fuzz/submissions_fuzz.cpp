// Fuzz harness of the reader of submissions: each line is a reply, an ungraded key or a problem.
// Holds no main: libFuzzer brings one, or replay.cpp.
// Built by tests/fuzz/meson.build.
#include "grader/line_reader.hpp"
#include "grader/submission_line.hpp"
#include "tests/fuzz/harness.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>

namespace {

class Memory final : public grader::ByteSource {
  public:
    explicit Memory(std::string bytes) : bytes_(std::move(bytes)) {}
    grader::Result<std::size_t> read(char* buffer, std::size_t size) override {
        // Small pieces, so that lines cross them.
        const std::size_t count = std::min({size, bytes_.size() - at_, std::size_t{1021}});
        std::memcpy(buffer, bytes_.data() + at_, count);
        at_ += count;
        return count;
    }

  private:
    std::string bytes_;
    std::size_t at_ = 0;
};

void check_line(const std::string& text) {
    grader::JsonOptions options;
    options.depth = 64;
    options.bad_text = grader::JsonOptions::Bad::replace;
    const auto value = grader::parse_json(text, options);
    if (!value) return fuzz::require(!value.error().what.empty());
    const auto drafts = grader::read_line(*value, {"fuzz:1", "", "", {}});
    fuzz::require(!drafts.empty());
    for (const grader::Draft& draft : drafts) {
        fuzz::require(!draft.where.empty());
        if (draft.problem.empty())
            fuzz::require(!draft.task.empty() || draft.task_index.has_value());
        if (!draft.problem.empty()) fuzz::require(draft.why.empty());
        fuzz::require(draft.sample.value_or(0) >= 0 && draft.round >= 0);
    }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    constexpr std::size_t kLimit = 4096;
    grader::LineReader reader(std::make_unique<Memory>(fuzz::text_of(data, size)), kLimit);
    grader::Line line;
    std::size_t bytes = 0;
    while (true) {
        const auto more = reader.next(line);
        fuzz::require(more.has_value());
        if (!*more) break;
        bytes += line.bytes + (line.ended ? 1 : 0);
        fuzz::require(line.text.size() <= kLimit && (!line.over_limit || line.text.empty()));
        check_line(line.text);
    }
    fuzz::require(bytes == size);
    return 0;
}
