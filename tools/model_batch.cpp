// Reads a line, answers it, forgets it.
// Does not keep more than one line and one buffer of output.
// See model_batch.hpp.
#include "tools/model_batch.hpp"

#include "grader/json.hpp"
#include "grader/line_reader.hpp"
#include "reference/tiles.hpp"
#include "reference/timeloop_yaml.hpp"
#include "tools/log.hpp"
#include "tools/model_result.hpp"
#include "tools/output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <system_error>
#include <utility>

namespace tools {

namespace {

constexpr std::size_t kMaxLineBytes = std::size_t{16} << 20U;
constexpr std::size_t kOutputBuffer = std::size_t{256} << 10U;
constexpr std::chrono::milliseconds kBetweenReports{200};

reference::Result<std::string> result_of(const reference::Case& input,
                                         const BatchOptions& options) {
    // The counting checks that the three belong together; fits() takes that for granted.
    const auto traffic = count(input, options.semantics);
    if (!traffic) return tl::unexpected(traffic.error());
    if (!options.ignore_capacity)
        if (auto ok = reference::fits(input.workload, input.architecture, input.mapping); !ok)
            return tl::unexpected(std::move(ok).error());
    return result_json(input.workload, *traffic);
}

/// Standard output with a large buffer of our own.
class Output {
  public:
    bool write(std::string_view line) {
        buffer_ += line;
        buffer_ += '\n';
        return buffer_.size() < kOutputBuffer || flush();
    }
    bool flush() {
        const bool ok = write_whole(stdout, buffer_);
        buffer_.clear();
        return ok;
    }

  private:
    std::string buffer_;
};

tl::unexpected<grader::Error> unusable(std::string what) {
    return tl::unexpected(grader::Error{grader::Error::Code::bad_input, std::move(what)});
}

tl::unexpected<grader::Error> not_written() {
    return unusable(fmt::format("standard output cannot be written: {}",
                                std::generic_category().message(errno)));
}

std::string id_json(const std::string& id) {
    return id.empty() ? "null" : grader::dump(grader::Json(id));
}

std::string error_line(const std::string& id, const std::string& what) {
    return fmt::format(R"({{"id":{},"error":{}}})", id_json(id), grader::dump(grader::Json(what)));
}

bool is_blank(std::string_view line) {
    return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

}  // namespace

std::string answer_line(std::string_view line, std::string_view place, std::uint64_t number,
                        const BatchOptions& options, bool& failed) {
    const reference::TimeloopRecord record =
        reference::read_timeloop_record(line, place, static_cast<std::size_t>(number));
    const auto result =
        record.input ? result_of(*record.input, options) : tl::unexpected(record.input.error());
    failed = !result;
    if (result) return fmt::format(R"({{"id":{},"result":{}}})", id_json(record.id), *result);
    // What the counting says names no place; the reader's lines begin with it.
    const std::string what = record.input
                                 ? fmt::format("{}:{}: {}", place, number, result.error().what)
                                 : result.error().what;
    return error_line(record.id, what);
}

grader::Result<BatchCounts> run_batch(const BatchOptions& options) {
    const bool standard_input = options.file == "-";
    const std::string place = standard_input ? "stdin" : options.file;
    auto source = grader::open_bytes(standard_input ? "/dev/stdin" : options.file);
    if (!source) return tl::unexpected(std::move(source).error());
    grader::LineReader reader(std::move(*source), kMaxLineBytes);
    ProgressLine progress;
    Output output;
    BatchCounts counts;
    auto next_report = std::chrono::steady_clock::now();
    grader::Line line;
    while (true) {
        const auto more = reader.next(line);
        if (!more) {
            if (!output.flush()) return not_written();
            return unusable(
                fmt::format("{}: after {} lines: {}", place, line.number, more.error().what));
        }
        if (!*more) break;
        if (!line.over_limit && is_blank(line.text)) continue;
        bool failed = true;
        const std::string answer =
            line.over_limit
                ? error_line({}, fmt::format("{}:{}: longer than 16 MiB", place, line.number))
                : answer_line(line.text, place, line.number, options, failed);
        ++(failed ? counts.errors : counts.results);
        if (!output.write(answer)) return not_written();
        if (!progress.visible() || std::chrono::steady_clock::now() < next_report) continue;
        progress.show(fmt::format("{} results, {} errors", counts.results, counts.errors));
        next_report = std::chrono::steady_clock::now() + kBetweenReports;
    }
    if (!output.flush()) return not_written();
    return counts;
}

}  // namespace tools
