// Fuzz harness of reference/document.hpp and the readers of [workload], [architecture], [mapping].
// Holds no main: libFuzzer brings one, or replay.cpp.
// Built by tests/fuzz/meson.build.
#include "reference/architecture.hpp"
#include "reference/document.hpp"
#include "reference/mapping.hpp"
#include "reference/tiles.hpp"
#include "reference/workload.hpp"
#include "tests/fuzz/harness.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace {

/// A fresh document each time: what one reader asks for is known to the next.
template <class Read>
auto read_with(const std::string& text, Read read)
    -> decltype(read(std::declval<const reference::Document&>())) {
    const auto document = reference::Document::parse(text, "f");
    if (!document) return tl::unexpected(document.error());
    auto out = read(*document);
    if (!out) fuzz::require(out.error().what.substr(0, 2) == "f:");
    return out;
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text = fuzz::text_of(data, size);
    const auto workload = read_with(text, reference::read_workload);
    const auto architecture = read_with(text, reference::read_architecture);
    if (!workload || !architecture) return 0;
    const auto mapping = read_with(text, [&](const reference::Document& document) {
        return read_mapping(document, *workload, *architecture);
    });
    if (!mapping) return 0;
    fuzz::require(mapping->levels.size() == architecture->levels.size());
    if (check_case(*workload, *architecture, *mapping))
        (void)fits(*workload, *architecture, *mapping);
    return 0;
}
