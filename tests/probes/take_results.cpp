// S28, P35, P36: runs leave_results in a jail and takes each of its results, as a grader would.
// Prints one line a name: what came of it. Knows nothing of what should.
// Run by tests/probes/run.py, outside of jails: take_results HELPER PROGRAM MARKER.
#include "sandbox/jail.hpp"

#include <cstdio>
#include <string>

namespace {

int fail(const sandbox::Error& error) {
    std::printf("error: %s\n", error.what.c_str());
    return 1;
}

void take(sandbox::Jail& jail, const std::string& name) {
    constexpr std::uint64_t kMost = 4096;
    const auto bytes = jail.take_file(name, kMost);
    if (bytes)
        std::printf("%s: taken \"%s\"\n", name.c_str(), bytes->c_str());
    else
        std::printf("%s: %s\n", name.c_str(),
                    bytes.error().code == sandbox::Error::Code::bad_request
                        ? "refused"
                        : bytes.error().what.c_str());
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 4) return 2;
    auto supervisor =
        sandbox::Supervisor::start({argv[1], {*sandbox::standard_view(sandbox::Profile::native)}});
    if (!supervisor) return fail(supervisor.error());
    const sandbox::Limits limits;
    auto jail = sandbox::Jail::create(*supervisor, sandbox::Profile::native, limits);
    if (!jail) return fail(jail.error());
    const auto image = sandbox::Image::from_file(argv[2]);
    if (!image) return fail(image.error());
    const auto outcome = jail->run({&*image, "", {"leave_results", argv[3]}, {}, {}}, limits);
    if (!outcome) return fail(outcome.error());
    std::printf("exit %d\n", outcome->exit_code);
    for (const char* name :
         {"regular", "link", "link-to-host", "link-up", "link-to-itself", "folder", "large",
          "absent", "unreadable", "..", ".", "", "folder/x", "../regular", "/etc/passwd"})
        take(*jail, name);
    return 0;
}
