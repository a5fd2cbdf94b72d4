// Files of a result folder: locked, appended with one write a line, replaced by rename.
// Reads no member of a line.
// See store.hpp.
#include "grader/store.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <span>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace grader {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kManifest = "manifest.json";
constexpr std::string_view kResults = "results.jsonl";
constexpr std::size_t kMaxManifestBytes = std::size_t{64} << 20U;
constexpr std::size_t kBlock = std::size_t{1} << 16U;
constexpr mode_t kPrivate = 0600;
constexpr auto kSyncEvery = std::chrono::seconds(1);

Error failed(std::string_view verb, const fs::path& path, int number) {
    return {Error::Code::bad_input, fmt::format("cannot {} {}: {}", verb, path.string(),
                                                std::generic_category().message(number))};
}

/// A full disk and its like: nothing that the user wrote is wrong.
Error host_failed(std::string_view verb, const fs::path& path, int number) {
    Error error = failed(verb, path, number);
    error.code = Error::Code::cannot_judge;
    return error;
}

Result<void> write_all(int fd, std::string_view bytes, const fs::path& path) {
    while (!bytes.empty()) {
        const ssize_t done = ::write(fd, bytes.data(), bytes.size());
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) return tl::unexpected(host_failed("write", path, errno));
        bytes.remove_prefix(static_cast<std::size_t>(done));
    }
    return {};
}

/// Reads on from `offset` into `buffer`; the number of bytes, 0 at the end.
Result<std::size_t> read_block(int fd, std::span<char> buffer, off_t offset, const fs::path& path) {
    for (;;) {
        const ssize_t got = ::pread(fd, buffer.data(), buffer.size(), offset);
        if (got >= 0) return static_cast<std::size_t>(got);
        if (errno != EINTR) return tl::unexpected(failed("read", path, errno));
    }
}

/// Length of the file up to and with its last newline.
Result<off_t> whole_lines(int fd, const fs::path& path) {
    struct stat status {};
    if (::fstat(fd, &status) != 0) return tl::unexpected(failed("read", path, errno));
    std::array<char, kBlock> buffer{};
    for (off_t end = status.st_size; end > 0;) {
        const off_t start = std::max<off_t>(0, end - static_cast<off_t>(kBlock));
        const auto length = static_cast<std::size_t>(end - start);
        const Result<std::size_t> got =
            read_block(fd, std::span(buffer).first(length), start, path);
        if (!got) return tl::unexpected(got.error());
        const std::size_t newline = std::string_view(buffer.data(), *got).rfind('\n');
        if (newline != std::string_view::npos) return start + static_cast<off_t>(newline) + 1;
        end = start;
    }
    return 0;
}

Result<void> cut_torn_line(int fd, const fs::path& path) {
    const Result<off_t> length = whole_lines(fd, path);
    if (!length) return tl::unexpected(length.error());
    if (::ftruncate(fd, *length) != 0) return tl::unexpected(failed("cut", path, errno));
    return {};
}

Result<std::string> read_file(const fs::path& path) {
    const sandbox::UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!fd.valid()) return tl::unexpected(failed("open", path, errno));
    std::string text;
    std::array<char, kBlock> buffer{};
    for (;;) {
        const Result<std::size_t> got =
            read_block(fd.get(), buffer, static_cast<off_t>(text.size()), path);
        if (!got) return tl::unexpected(got.error());
        if (*got == 0) return text;
        text.append(buffer.data(), *got);
        if (text.size() > kMaxManifestBytes) return tl::unexpected(failed("read", path, EFBIG));
    }
}

/// Nothing, or what a run leaves that ended before its first result.
Result<bool> holds_nothing(const fs::path& folder) {
    std::error_code error;
    if (!fs::exists(folder, error)) return true;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
        const bool empty_results =
            entry->path().filename() == kResults && entry->file_size(error) == 0;
        if (!empty_results) return false;
    }
    if (error) return tl::unexpected(failed("open", folder, error.value()));
    return true;
}

}  // namespace

Store::Store(fs::path folder, sandbox::UniqueFd results)
    : folder_(std::move(folder)), results_(std::move(results)) {}

Result<Store> Store::open(const fs::path& folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) return tl::unexpected(failed("create", folder, error.value()));
    const fs::path path = folder / kResults;
    sandbox::UniqueFd results(
        ::open(path.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, kPrivate));
    if (!results.valid()) return tl::unexpected(failed("open", path, errno));
    if (::flock(results.get(), LOCK_EX | LOCK_NB) != 0)
        return tl::unexpected(Error{Error::Code::bad_input,
                                    fmt::format("{} is in use by another perfjudge; wait for it or "
                                                "give another --out",
                                                folder.string())});
    return Store(folder, std::move(results));
}

Result<Store> Store::create(const fs::path& folder) {
    const Result<bool> empty = holds_nothing(folder);
    if (!empty) return tl::unexpected(empty.error());
    if (!*empty)
        return tl::unexpected(Error{
            Error::Code::bad_input,
            fmt::format("{} is not empty; add --resume to go on with it, or give another --out",
                        folder.string())});
    return open(folder);
}

Result<Store> Store::resume(const fs::path& folder) {
    const Result<bool> empty = holds_nothing(folder);
    if (!empty) return tl::unexpected(empty.error());
    std::error_code error;
    const bool has_results = fs::exists(folder / kResults, error);
    const bool absent = !fs::exists(folder, error);
    if (absent || (!*empty && !has_results))
        return tl::unexpected(Error{
            Error::Code::bad_input,
            fmt::format("{} holds no results of perfjudge; give another --out", folder.string())});
    Result<Store> store = open(folder);
    if (!store) return store;
    const Result<void> cut = cut_torn_line(store->results_.get(), folder / kResults);
    if (!cut) return tl::unexpected(cut.error());
    return store;
}

Result<Json> Store::manifest() const {
    std::error_code error;
    const fs::path path = folder_ / kManifest;
    if (!fs::exists(path, error)) return Json(nullptr);
    const Result<std::string> text = read_file(path);
    if (!text) return tl::unexpected(text.error());
    Result<Json> value = parse_json(*text);
    if (!value)
        return tl::unexpected(Error{Error::Code::bad_input,
                                    fmt::format("{}: {}", path.string(), value.error().what)});
    return value;
}

Result<void> Store::read_results(
    const std::function<Result<void>(std::string_view, std::size_t)>& use) const {
    const fs::path path = folder_ / kResults;
    std::string pending;
    std::array<char, kBlock> buffer{};
    std::size_t number = 0;
    for (off_t offset = 0;;) {
        const Result<std::size_t> got = read_block(results_.get(), buffer, offset, path);
        if (!got) return tl::unexpected(got.error());
        if (*got == 0) return {};
        offset += static_cast<off_t>(*got);
        pending.append(buffer.data(), *got);
        std::size_t start = 0;
        for (std::size_t end = 0; (end = pending.find('\n', start)) != std::string::npos;
             start = end + 1) {
            Result<void> used = use(std::string_view(pending).substr(start, end - start), ++number);
            if (!used)
                return tl::unexpected(
                    Error{used.error().code,
                          fmt::format("{}:{}: {}", path.string(), number, used.error().what)});
        }
        pending.erase(0, start);
    }
}

Result<void> Store::append(std::string_view line) {
    std::string bytes(line);
    bytes += '\n';
    Result<void> written = write_all(results_.get(), bytes, folder_ / kResults);
    if (!written) return written;
    const auto now = std::chrono::steady_clock::now();
    if (now - synced_ < kSyncEvery) return {};
    synced_ = now;
    return sync();
}

Result<void> Store::sync() {
    if (::fdatasync(results_.get()) != 0)
        return tl::unexpected(host_failed("sync", folder_ / kResults, errno));
    return {};
}

Result<void> Store::write(std::string_view name, std::string_view bytes) {
    const fs::path path = folder_ / name;
    fs::path temporary = path;
    temporary += ".new";
    sandbox::UniqueFd fd(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
    if (!fd.valid()) return tl::unexpected(failed("create", temporary, errno));
    Result<void> written = write_all(fd.get(), bytes, temporary);
    if (!written) return written;
    if (::fsync(fd.get()) != 0) return tl::unexpected(host_failed("sync", temporary, errno));
    if (::rename(temporary.c_str(), path.c_str()) != 0)
        return tl::unexpected(host_failed("write", path, errno));
    const sandbox::UniqueFd folder(::open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!folder.valid() || ::fsync(folder.get()) != 0)
        return tl::unexpected(host_failed("sync", folder_, errno));
    return {};
}

Result<void> Store::remove(std::string_view name) {
    std::error_code error;
    fs::remove(folder_ / name, error);
    if (error) return tl::unexpected(failed("remove", folder_ / name, error.value()));
    return {};
}

}  // namespace grader
