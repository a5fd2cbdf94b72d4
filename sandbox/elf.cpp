// Reads PT_INTERP, DT_NEEDED and DT_RUNPATH of 64-bit ELF files.
// Every offset is checked against the file: the program may be anybody's.
// See elf.hpp.
#include "sandbox/elf.hpp"

#include <cerrno>
#include <cstring>
#include <deque>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <string>

#include <elf.h>

namespace sandbox {

namespace fs = std::filesystem;

namespace {

constexpr const char* kSystemFolders[] = {"/lib/x86_64-linux-gnu",
                                          "/usr/lib/x86_64-linux-gnu",
                                          "/lib64",
                                          "/usr/lib64",
                                          "/lib",
                                          "/usr/lib"};

struct Dynamic {
    std::string interpreter;
    std::vector<std::string> needed, search;
};

template <class T>
std::optional<T> at(const std::string& bytes, std::uint64_t offset) {
    if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) return std::nullopt;
    T value;
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
}

std::string text_at(const std::string& bytes, std::uint64_t offset) {
    if (offset >= bytes.size()) return {};
    return {bytes.c_str() + offset};  // the string's own terminator bounds it
}

/// File offset of a virtual address.
std::uint64_t offset_of(const std::vector<Elf64_Phdr>& segments, std::uint64_t address) {
    for (const Elf64_Phdr& s : segments) {
        if (s.p_type == PT_LOAD && address >= s.p_vaddr && address - s.p_vaddr < s.p_filesz)
            return address - s.p_vaddr + s.p_offset;
    }
    return ~std::uint64_t{0};
}

void split_search(const std::string& text, const fs::path& file,
                  std::vector<std::string>& folders) {
    std::size_t from = 0;
    while (from <= text.size()) {
        std::size_t to = text.find(':', from);
        if (to == std::string::npos) to = text.size();
        std::string folder = text.substr(from, to - from);
        if (const std::size_t origin = folder.find("$ORIGIN"); origin != std::string::npos)
            folder.replace(origin, 7, file.parent_path().string());
        if (!folder.empty() && folder.front() == '/') folders.push_back(folder);
        from = to + 1;
    }
}

std::optional<Dynamic> read_dynamic(const fs::path& file, const std::string& bytes) {
    Dynamic result;
    const auto header = at<Elf64_Ehdr>(bytes, 0);
    if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0)
        return result;  // a script: needs nothing
    if (header->e_ident[EI_CLASS] != ELFCLASS64) return std::nullopt;
    std::vector<Elf64_Phdr> segments;
    for (unsigned i = 0; i < header->e_phnum; ++i) {
        const auto segment =
            at<Elf64_Phdr>(bytes, header->e_phoff + std::uint64_t{i} * sizeof(Elf64_Phdr));
        if (!segment) return std::nullopt;
        segments.push_back(*segment);
    }
    for (const Elf64_Phdr& segment : segments) {
        if (segment.p_type == PT_INTERP) result.interpreter = text_at(bytes, segment.p_offset);
        if (segment.p_type != PT_DYNAMIC) continue;
        std::vector<std::pair<std::int64_t, std::uint64_t>> entries;
        std::uint64_t strings = 0;
        for (std::uint64_t o = segment.p_offset; o < segment.p_offset + segment.p_filesz;
             o += sizeof(Elf64_Dyn)) {
            const auto entry = at<Elf64_Dyn>(bytes, o);
            if (!entry) return std::nullopt;
            if (entry->d_tag == DT_STRTAB) strings = offset_of(segments, entry->d_un.d_ptr);
            entries.emplace_back(entry->d_tag, entry->d_un.d_val);
        }
        for (const auto& [tag, value] : entries) {
            if (tag == DT_NEEDED) result.needed.push_back(text_at(bytes, strings + value));
            if (tag == DT_RUNPATH || tag == DT_RPATH)
                split_search(text_at(bytes, strings + value), file, result.search);
        }
    }
    return result;
}

std::optional<fs::path> find_library(const std::string& name,
                                     const std::vector<std::string>& search) {
    std::error_code error;
    if (name.find('/') != std::string::npos)
        return fs::is_regular_file(name, error) ? std::optional<fs::path>(name) : std::nullopt;
    for (const std::string& folder : search) {
        if (fs::is_regular_file(fs::path(folder) / name, error)) return fs::path(folder) / name;
    }
    for (const char* folder : kSystemFolders) {
        if (fs::is_regular_file(fs::path(folder) / name, error)) return fs::path(folder) / name;
    }
    return std::nullopt;
}

}  // namespace

Result<std::vector<fs::path>> needed_files(const fs::path& program) {
    std::vector<fs::path> found;
    std::set<std::string> seen;
    std::deque<fs::path> queue{program};
    while (!queue.empty()) {
        const fs::path file = queue.front();
        queue.pop_front();
        std::error_code error;  // a folder cannot be read, a FIFO or a device has no end
        if (!fs::is_regular_file(file, error))
            return tl::unexpected(
                Error{Error::Code::bad_request, EACCES, file.string() + " is not a regular file"});
        std::ifstream stream(file, std::ios::binary);
        const std::string bytes((std::istreambuf_iterator<char>(stream)),
                                std::istreambuf_iterator<char>());
        const auto dynamic = read_dynamic(file, bytes);
        if (!dynamic)
            return tl::unexpected(Error{Error::Code::bad_request, ENOEXEC,
                                        file.string() + " is a damaged or a 32-bit ELF file"});
        std::vector<std::string> wanted = dynamic->needed;
        if (!dynamic->interpreter.empty()) wanted.push_back(dynamic->interpreter);
        for (const std::string& name : wanted) {
            if (!seen.insert(name).second) continue;
            const auto library = find_library(name, dynamic->search);
            if (!library)
                return tl::unexpected(
                    Error{Error::Code::host_unsupported, ENOENT,
                          "library " + name + " of " + file.string() + " is not on this host"});
            found.push_back(*library);
            queue.push_back(*library);
        }
    }
    return found;
}

}  // namespace sandbox
