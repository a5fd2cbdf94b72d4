// Finds toolchains, interpreters and the libraries of one program on this host.
// Only lists paths; nothing is executed here.
// See view.hpp.
#include "sandbox/view.hpp"

#include "sandbox/elf.hpp"

#include <algorithm>
#include <cerrno>
#include <set>
#include <system_error>

namespace sandbox {

namespace fs = std::filesystem;

namespace {

tl::unexpected<Error> missing(const std::string& what, const std::string& package) {
    return tl::unexpected(
        Error{Error::Code::host_unsupported, ENOENT,
              what + " is not on this host; install it (Debian package " + package + ")"});
}

void add_bind(View& view, const fs::path& path) {
    view.entries.push_back({ViewEntry::Kind::bind, path.string(), path.string()});
}

void add_link(View& view, const std::string& target, const std::string& text) {
    view.entries.push_back({ViewEntry::Kind::link, target, text});
}

/// Debian's merged /usr: programs name their loader by /lib64.
void add_merged_links(View& view) {
    add_link(view, "/lib", "usr/lib");
    add_link(view, "/lib64", "usr/lib64");
    add_link(view, "/bin", "usr/bin");
}

/// A file and, where the path is a link, what it leads to; links of the view keep their names.
void add_program(View& view, const fs::path& path) {
    std::error_code error;
    if (!fs::is_symlink(path, error)) return add_bind(view, path);
    add_link(view, path.string(), fs::read_symlink(path, error).string());
    const fs::path next = path.parent_path() / fs::read_symlink(path, error);
    const auto same = [&](const ViewEntry& e) { return e.target == next.lexically_normal(); };
    if (std::none_of(view.entries.begin(), view.entries.end(), same))
        add_program(view, next.lexically_normal());
}

/// The libraries of a program, each under every name by which the loader asks for it.
Result<void> add_libraries(View& view, const fs::path& program) {
    auto needed = needed_files(program);
    if (!needed) return tl::unexpected(std::move(needed).error());
    for (const fs::path& name : *needed) {
        std::error_code error;
        // /lib and /lib64 are links in the view: what lies there is mounted below /usr.
        const std::string target =
            (fs::canonical(name.parent_path(), error) / name.filename()).string();
        const auto same = [&](const ViewEntry& e) { return e.target == target; };
        if (std::any_of(view.entries.begin(), view.entries.end(), same)) continue;
        view.entries.push_back(
            {ViewEntry::Kind::bind, target, fs::canonical(name, error).string()});
    }
    return {};
}

View base_view(Profile profile) {
    View view;
    view.profile = profile;
    add_bind(view, "/dev/null");
    add_link(view, "/tmp", "/box");
    return view;
}

Result<View> compile_view() {
    View view = base_view(Profile::compile);
    if (!fs::exists("/usr/bin/g++")) return missing("the compiler /usr/bin/g++", "g++");
    add_merged_links(view);
    for (const char* folder : {"/usr/include", "/usr/lib/gcc", "/usr/lib/x86_64-linux-gnu",
                               "/usr/lib64", "/usr/libexec/gcc"}) {
        if (fs::is_directory(folder)) add_bind(view, folder);
    }
    for (const char* name : {"g++", "gcc", "as", "ld", "ld.bfd", "ar", "objcopy", "strip"}) {
        const fs::path program = fs::path("/usr/bin") / name;
        if (!fs::exists(program)) return missing(program.string(), "binutils, g++");
        add_program(view, program);
    }
    return view;
}

Result<View> python_view() {
    View view = base_view(Profile::python);
    const fs::path program = "/usr/bin/python3";
    if (!fs::exists(program)) return missing("the interpreter /usr/bin/python3", "python3");
    add_merged_links(view);
    add_program(view, program);
    std::error_code error;
    const fs::path real = fs::canonical(program, error);
    const fs::path modules = fs::path("/usr/lib") / real.filename();  // /usr/lib/python3.11
    if (!fs::is_directory(modules)) return missing(modules.string(), "libpython3-stdlib");
    add_bind(view, modules);
    if (auto added = add_libraries(view, real); !added)
        return tl::unexpected(std::move(added).error());
    // Extension modules of the standard library bring libraries of their own (ctypes, bz2, ...).
    for (const auto& entry : fs::directory_iterator(modules / "lib-dynload", error)) {
        if (auto added = add_libraries(view, entry.path()); !added)
            return tl::unexpected(std::move(added).error());
    }
    return view;
}

}  // namespace

Result<View> standard_view(Profile profile) {
    switch (profile) {
        case Profile::native:
        case Profile::lua:
            return base_view(profile);
        case Profile::compile:
            return compile_view();
        case Profile::python:
            return python_view();
        case Profile::shell:
            return program_view("/bin/sh", Profile::shell);
    }
    return base_view(profile);
}

Result<View> program_view(const fs::path& program, Profile profile) {
    View view = base_view(profile);
    std::error_code error;
    const fs::path real = fs::canonical(program, error);
    if (error)
        return tl::unexpected(
            Error{Error::Code::bad_request, error.value(),
                  "cannot find program " + program.string() + ": " + error.message()});
    add_merged_links(view);
    view.entries.push_back(
        {ViewEntry::Kind::bind, "/program/" + real.filename().string(), real.string()});
    if (auto added = add_libraries(view, real); !added)
        return tl::unexpected(std::move(added).error());
    return view;
}

}  // namespace sandbox
