// The readers of timeloop_yaml.hpp, put together from the parts.
// Does not know any key but those of the parts.
// See timeloop_yaml.hpp.
#include "reference/timeloop_yaml.hpp"

#include "reference/timeloop_parts.hpp"

namespace reference {

namespace {

/// A parsed text and its mistakes.
struct Parsed {
    YamlTree tree;
    Mistakes mistakes;
    [[nodiscard]] Place root() { return {&tree.root(), "", tree.root().line, mistakes}; }
};

Result<Parsed> parse(const TimeloopText& text) {
    auto tree = YamlTree::parse(text.text, text.name, text.first_line);
    if (!tree) return tl::unexpected(std::move(tree).error());
    return Parsed{std::move(*tree), Mistakes(text.name)};
}

bool same(const TimeloopText& a, const TimeloopText& b) {
    return a.text.data() == b.text.data() && a.text.size() == b.text.size() && a.name == b.name;
}

template <class T, class Read>
Result<T> finish(Parsed& parsed, Read read) {
    timeloop::refuse_sparse(parsed.root());
    T value = read(parsed.root());
    if (auto done = parsed.mistakes.finish(); !done) return tl::unexpected(std::move(done).error());
    return value;
}

/// Problem, architecture and mapping from one document or from three.
Result<Case> case_of(Parsed& problem, Parsed& architecture, Parsed& mapping) {
    auto workload = finish<Workload>(problem, timeloop::problem);
    if (!workload) return tl::unexpected(std::move(workload).error());
    auto part = finish<timeloop::ArchitecturePart>(architecture, timeloop::architecture);
    if (!part) return tl::unexpected(std::move(part).error());
    auto loops = finish<Mapping>(mapping, [&](const Place& root) {
        return timeloop::mapping(root, *workload, part->architecture, &*part);
    });
    if (!loops) return tl::unexpected(std::move(loops).error());
    // The constraints of nodes are read with the mapping, but stand in the other text.
    if (auto done = architecture.mistakes.finish(); !done)
        return tl::unexpected(std::move(done).error());
    return Case{std::move(*workload), std::move(part->architecture), std::move(*loops)};
}

}  // namespace

Result<Workload> read_timeloop_problem(const TimeloopText& text) {
    auto parsed = parse(text);
    if (!parsed) return tl::unexpected(std::move(parsed).error());
    return finish<Workload>(*parsed, timeloop::problem);
}

Result<Architecture> read_timeloop_architecture(const TimeloopText& text) {
    auto parsed = parse(text);
    if (!parsed) return tl::unexpected(std::move(parsed).error());
    auto part = finish<timeloop::ArchitecturePart>(*parsed, timeloop::architecture);
    if (!part) return tl::unexpected(std::move(part).error());
    return std::move(part->architecture);
}

Result<Mapping> read_timeloop_mapping(const TimeloopText& text, const Workload& workload,
                                      const Architecture& architecture) {
    auto parsed = parse(text);
    if (!parsed) return tl::unexpected(std::move(parsed).error());
    return finish<Mapping>(*parsed, [&](const Place& root) {
        const bool both = root.at("architecture").has("nodes");
        const auto part = both ? timeloop::architecture(root) : timeloop::ArchitecturePart{};
        return timeloop::mapping(root, workload, architecture, both ? &part : nullptr);
    });
}

Result<Case> read_timeloop_case(const TimeloopText& problem, const TimeloopText& architecture,
                                const TimeloopText& mapping) {
    auto first = parse(problem);
    if (!first) return tl::unexpected(std::move(first).error());
    if (same(problem, architecture) && same(problem, mapping))
        return case_of(*first, *first, *first);
    auto second = parse(architecture);
    if (!second) return tl::unexpected(std::move(second).error());
    auto third = parse(mapping);
    if (!third) return tl::unexpected(std::move(third).error());
    return case_of(*first, *second, *third);
}

TimeloopRecord read_timeloop_record(std::string_view line, std::string_view name,
                                    std::size_t line_number) {
    auto parsed = parse({line, name, line_number});
    if (!parsed) return {"", tl::unexpected(std::move(parsed).error())};
    const Place root = parsed->root();
    return {std::string(root.at("id").raw()), case_of(*parsed, *parsed, *parsed)};
}

}  // namespace reference
