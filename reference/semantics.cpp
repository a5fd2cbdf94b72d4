// Names of the semantics.
// Does not count.
// See semantics.hpp.
#include "reference/semantics.hpp"

#include <array>
#include <utility>

namespace reference {

namespace {

constexpr std::array<std::pair<std::string_view, Semantics>, 3> kNamed{
    {{"exact", kExact}, {"timeloop", kTimeloop}, {"timeloop-2024", kTimeloop2024}}};

}  // namespace

std::optional<Semantics> semantics_named(std::string_view name) {
    for (const auto& [known, semantics] : kNamed)
        if (known == name) return semantics;
    return std::nullopt;
}

std::vector<std::string_view> semantics_names() {
    std::vector<std::string_view> names;
    names.reserve(kNamed.size());
    for (const auto& [known, semantics] : kNamed) names.push_back(known);
    return names;
}

}  // namespace reference
