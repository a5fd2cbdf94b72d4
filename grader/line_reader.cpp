// zlib reads plain and gzip files through one interface, libzstd the rest.
// Does not guess by file name.
// See line_reader.hpp.
#include "grader/line_reader.hpp"

#include "grader/json.hpp"

#include <fmt/format.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

namespace grader {

namespace {

constexpr std::size_t kChunk = 64 * 1024;

tl::unexpected<Error> bad(std::string what) {
    return tl::unexpected(Error{Error::Code::bad_input, std::move(what)});
}

std::string system_text(int error) {
    return std::generic_category().message(error);
}

/// gzip, and files that are not compressed at all.
class ZlibSource final : public ByteSource {
  public:
    explicit ZlibSource(gzFile file) : file_(file) {}
    ~ZlibSource() override { gzclose_r(file_); }
    ZlibSource(const ZlibSource&) = delete;
    ZlibSource& operator=(const ZlibSource&) = delete;
    ZlibSource(ZlibSource&&) = delete;
    ZlibSource& operator=(ZlibSource&&) = delete;

    Result<std::size_t> read(char* buffer, std::size_t size) override {
        const int count = gzread(file_, buffer, static_cast<unsigned>(size));
        if (count > 0) return static_cast<std::size_t>(count);
        int code = Z_OK;
        const char* text = gzerror(file_, &code);
        if (code == Z_OK || (count == 0 && code == Z_STREAM_END)) return std::size_t{0};
        if (code == Z_BUF_ERROR)
            return bad("the compressed data ends early: is the file complete?");
        if (code == Z_ERRNO) return bad("reading failed: " + system_text(errno));
        return bad(fmt::format("the compressed data is damaged ({})", text));
    }

  private:
    gzFile file_;
};

class ZstdSource final : public ByteSource {
  public:
    ZstdSource(std::FILE* file, ZSTD_DStream* stream) : file_(file), stream_(stream), in_(kChunk) {}
    ~ZstdSource() override {
        ZSTD_freeDStream(stream_);
        std::fclose(file_);  // NOLINT(cert-err33-c): read only, nothing can be lost
    }
    ZstdSource(const ZstdSource&) = delete;
    ZstdSource& operator=(const ZstdSource&) = delete;
    ZstdSource(ZstdSource&&) = delete;
    ZstdSource& operator=(ZstdSource&&) = delete;

    Result<std::size_t> read(char* buffer, std::size_t size) override {
        ZSTD_outBuffer out{buffer, size, 0};
        while (out.pos == 0) {
            if (view_.pos == view_.size) {
                const std::size_t count = std::fread(in_.data(), 1, in_.size(), file_);
                if (count == 0 && std::ferror(file_))
                    return bad("reading failed: " + system_text(errno));
                view_ = {in_.data(), count, 0};
                if (count == 0 && wanted_ == 0) return std::size_t{0};
                if (count == 0) return flush(out);
            }
            if (auto done = step(out); !done) return tl::unexpected(std::move(done).error());
        }
        return out.pos;
    }

  private:
    Result<void> step(ZSTD_outBuffer& out) {
        wanted_ = ZSTD_decompressStream(stream_, &out, &view_);
        if (ZSTD_isError(wanted_))
            return bad(
                fmt::format("the compressed data is damaged ({})", ZSTD_getErrorName(wanted_)));
        return {};
    }

    /// No input is left, but the decoder may still hold output.
    Result<std::size_t> flush(ZSTD_outBuffer& out) {
        if (auto done = step(out); !done) return tl::unexpected(std::move(done).error());
        if (out.pos == 0 && wanted_ != 0)
            return bad("the compressed data ends early: is the file complete?");
        return out.pos;
    }

    std::FILE* file_;
    ZSTD_DStream* stream_;
    std::vector<char> in_;
    ZSTD_inBuffer view_{nullptr, 0, 0};
    std::size_t wanted_ = 0;  // what the decoder asked for last; 0: a frame is complete
};

bool is_zstd(int descriptor) {
    unsigned char magic[4] = {};
    if (::pread(descriptor, magic, sizeof magic, 0) != 4) return false;
    return magic[0] == 0x28 && magic[1] == 0xB5 && magic[2] == 0x2F && magic[3] == 0xFD;
}

Result<std::unique_ptr<ByteSource>> open_zstd(int descriptor) {
    std::FILE* file = ::fdopen(descriptor, "rb");
    ZSTD_DStream* stream = file ? ZSTD_createDStream() : nullptr;
    if (!stream) {
        if (file)
            std::fclose(file);  // NOLINT(cert-err33-c)
        else
            ::close(descriptor);
        return bad("no memory to decompress");
    }
    return std::make_unique<ZstdSource>(file, stream);
}

}  // namespace

Result<std::unique_ptr<ByteSource>> open_bytes(const std::filesystem::path& path) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return bad(fmt::format("cannot open {}: {}", quoted(path.native()), system_text(errno)));
    if (is_zstd(descriptor)) return open_zstd(descriptor);
    gzFile file = gzdopen(descriptor, "rb");
    if (!file) {
        ::close(descriptor);
        return bad(fmt::format("cannot open {}: no memory", quoted(path.native())));
    }
    return std::make_unique<ZlibSource>(file);
}

Result<std::string> read_all(const std::filesystem::path& path, std::size_t max_bytes) {
    auto source = open_bytes(path);
    if (!source) return tl::unexpected(std::move(source).error());
    std::string all;
    std::vector<char> chunk(kChunk);
    while (true) {
        const auto count = (*source)->read(chunk.data(), chunk.size());
        if (!count) return tl::unexpected(count.error());
        if (*count == 0) return all;
        if (all.size() + *count > max_bytes)
            return bad(fmt::format("more than {} bytes", max_bytes));
        all.append(chunk.data(), *count);
    }
}

Result<bool> LineReader::fill() {
    buffer_.resize(kChunk);
    at_ = 0;
    const auto count = source_->read(buffer_.data(), buffer_.size());
    buffer_.resize(count ? *count : 0);
    if (!count) return tl::unexpected(count.error());
    return *count > 0;
}

void LineReader::append(Line& line, std::string_view piece) const {
    line.bytes += piece.size();
    // One byte more than the limit may still turn out to be the CR of a line end.
    line.over_limit = line.over_limit || line.bytes > max_bytes_ + 1;
    if (line.over_limit)
        line.text = std::string();
    else
        line.text += piece;
}

Result<bool> LineReader::next(Line& line) {
    line = Line{};
    line.number = ++number_;
    line.ended = false;
    bool any = false;
    while (!line.ended) {
        if (at_ == buffer_.size()) {
            const auto more = fill();
            if (!more) return tl::unexpected(more.error());
            if (!*more) break;
        }
        any = true;
        const auto end = buffer_.find('\n', at_);
        const std::size_t stop = std::min(end, buffer_.size());
        append(line, std::string_view(buffer_).substr(at_, stop - at_));
        at_ = end == std::string::npos ? stop : stop + 1;
        line.ended = end != std::string::npos;
    }
    if (line.text.ends_with('\r')) line.text.pop_back();
    if (line.number == 1 && line.text.starts_with("\xEF\xBB\xBF")) line.text.erase(0, 3);
    if (line.text.size() > max_bytes_) {
        line.over_limit = true;
        line.text = std::string();
    }
    return any;
}

}  // namespace grader
