// Reads a file line by line, plain, gzip or zstd, in bounded memory.
// Does not know what the lines mean.
// Called by submission_files.cpp.
#pragma once

#include "grader/error.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace grader {

/// The bytes of a file, decompressed; gzip and zstd are known by their first bytes.
class ByteSource {
  public:
    virtual ~ByteSource() = default;
    ByteSource(const ByteSource&) = delete;
    ByteSource& operator=(const ByteSource&) = delete;
    ByteSource(ByteSource&&) = delete;
    ByteSource& operator=(ByteSource&&) = delete;

    /// Up to `size` bytes; 0 at the end. Errors: bad_input where the data is damaged or cut off.
    virtual Result<std::size_t> read(char* buffer, std::size_t size) = 0;

  protected:
    ByteSource() = default;
};

Result<std::unique_ptr<ByteSource>> open_bytes(const std::filesystem::path& path);

/// Everything in the file. Errors: bad_input if it is longer than `max_bytes`.
Result<std::string> read_all(const std::filesystem::path& path, std::size_t max_bytes);

struct Line {
    std::string text;          // without its end (LF or CRLF)
    std::uint64_t number = 0;  // from 1
    std::uint64_t bytes = 0;   // its whole length; text is empty if that is over the limit
    bool over_limit = false;
    bool ended = true;  // false: the file ends within it
};

class LineReader {
  public:
    LineReader(std::unique_ptr<ByteSource> source, std::size_t max_bytes)
        : source_(std::move(source)), max_bytes_(max_bytes) {}

    /// False at the end of the file. A byte order mark before the first line is dropped.
    Result<bool> next(Line& line);

  private:
    Result<bool> fill();
    void append(Line& line, std::string_view piece) const;

    std::unique_ptr<ByteSource> source_;
    std::size_t max_bytes_;
    std::uint64_t number_ = 0;
    std::string buffer_;
    std::size_t at_ = 0;
};

}  // namespace grader
