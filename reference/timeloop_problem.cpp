// `problem`: shape and instance to a Workload.
// Does not check sizes against a mapping.
// See timeloop_parts.hpp.
#include "reference/timeloop_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace reference::timeloop {

namespace {

using namespace std::string_view_literals;

constexpr std::array kShapeKeys{
    "name"sv,         "version"sv, "dimensions"sv,          "data_spaces"sv,
    "coefficients"sv, "flatten"sv, "flattened_dimensions"sv};
constexpr std::array kDataSpaceKeys{"name"sv, "projection"sv, "read_write"sv, "ranks"sv};
constexpr std::array kDensityKeys{"densities"sv, "common_density"sv, "commonDensity"sv};

/// Everything that a projection may name.
struct Scope {
    std::vector<Dimension> dimensions;
    std::vector<Coefficient> coefficients;

    [[nodiscard]] std::optional<DimensionId> dimension(std::string_view name) const {
        for (std::size_t i = 0; i < dimensions.size(); ++i)
            if (dimensions[i].name == name) return static_cast<DimensionId>(i);
        return std::nullopt;
    }
    [[nodiscard]] const Coefficient* coefficient(std::string_view name) const {
        for (const Coefficient& one : coefficients)
            if (one.name == name) return &one;
        return nullptr;
    }
    [[nodiscard]] std::string dimension_names() const {
        std::string out;
        for (const Dimension& one : dimensions) out += (out.empty() ? "" : " ") + one.name;
        return out;
    }
};

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\n[](){}");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\n[](){}") - first + 1);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(separator, begin), text.size());
        parts.push_back(trimmed(text.substr(begin, end - begin)));
        begin = end + 1;
    }
    return parts;
}

/// A coefficient by its name, or a number. None with a mistake.
std::optional<std::int64_t> coefficient(const Place& place, std::string_view text,
                                        const Scope& scope) {
    const Coefficient* named = scope.coefficient(text);
    if (named != nullptr && named->value) return named->value;
    std::int64_t value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (named == nullptr && code == std::errc() && end == text.data() + text.size() && value >= 1)
        return value;
    place.mistake(fmt::format("there is no coefficient {} of at least 1", quoted(text)));
    return std::nullopt;
}

void add_term(const Place& place, std::string_view dimension, std::optional<std::int64_t> factor,
              const Scope& scope, Rank& rank) {
    const auto id = scope.dimension(dimension);
    if (!id)
        place.mistake(fmt::format("there is no dimension {}; needs one of {}", quoted(dimension),
                                  scope.dimension_names()));
    else if (factor)
        rank.push_back({*id, *factor});
}

/// `R*Wdilation + P*Wstride`, a coefficient on either side.
Rank rank_of_text(const Place& place, std::string_view text, const Scope& scope) {
    Rank rank;
    for (const std::string_view term : split(text, '+')) {
        const auto parts = split(term, '*');
        if (parts.size() > 2) {
            place.mistake(fmt::format("{} is no term; needs one like P*Wstride", quoted(term)));
            continue;
        }
        const bool swapped = parts.size() == 2 && !scope.dimension(parts[0]);
        const std::string_view dimension = swapped ? parts[1] : parts[0];
        const auto factor = parts.size() == 1 ? std::optional<std::int64_t>(1)
                                              : coefficient(place, parts[swapped ? 0 : 1], scope);
        add_term(place, dimension, factor, scope, rank);
    }
    return rank;
}

/// `[P]` or `[P, Wstride]`.
void read_term(const Place& term, const Scope& scope, Rank& rank) {
    if (!term.is_list() || term.size() < 1 || term.size() > 2)
        return term.wrong("a term like [P] or [P, Wstride]");
    const std::string dimension = term.item(0).text("the name of a dimension");
    if (dimension.empty()) return;
    const bool plain = term.size() == 1;
    const auto factor = plain ? std::optional<std::int64_t>(1)
                              : coefficient(term.item(1), term.item(1).raw(), scope);
    add_term(term.item(0), dimension, factor, scope, rank);
}

std::vector<Rank> read_projection(const Place& place, const Scope& scope) {
    std::vector<Rank> ranks;
    if (place.is_text()) {
        for (const std::string_view rank : split(place.raw(), ','))
            ranks.push_back(rank_of_text(place, rank, scope));
        return ranks;
    }
    if (!place.is_list()) {
        place.wrong("a list of ranks like [[[N]], [[P, Wstride], [R]]]");
        return ranks;
    }
    for (std::size_t i = 0; i < place.size(); ++i) {
        const Place rank = place.item(i);
        if (rank.is_text()) {
            ranks.push_back(rank_of_text(rank, rank.raw(), scope));
            continue;
        }
        Rank& terms = ranks.emplace_back();
        if (!rank.is_list() || rank.size() == 0)
            rank.wrong("a list of terms like [[P, Wstride], [R]]");
        else
            for (std::size_t t = 0; t < rank.size(); ++t) read_term(rank.item(t), scope, terms);
    }
    return ranks;
}

void read_data_spaces(const Place& list, const Scope& scope, Workload& workload) {
    if (!list.is_list() || list.size() == 0)
        return list.wrong("a list of data spaces, each with name and projection");
    for (std::size_t i = 0; i < list.size(); ++i) {
        const Place one = list.item(i);
        if (!one.is_map()) {
            one.wrong("a data space with name and projection");
            continue;
        }
        one.only_keys(kDataSpaceKeys);
        DataSpace data_space;
        data_space.name = one.at("name").text();
        data_space.output = one.at("read_write").flag();
        data_space.ranks = read_projection(one.at("projection"), scope);
        workload.data_spaces.push_back(std::move(data_space));
    }
}

std::vector<Coefficient> read_coefficients(const Place& list, const Names& names) {
    std::vector<Coefficient> out;
    const auto value = [&](const Place& place) {
        return place.present() ? whole_number(place, names, 1) : std::nullopt;
    };
    if (list.is_map()) {  // {Wstride: 1}
        for (std::size_t i = 0; i < list.size(); ++i)
            out.push_back({list.keys()[i], value(list.item(i))});
        return out;
    }
    if (list.present() && !list.is_list())
        list.wrong(
            "a list of coefficients, each with name and "
            "default");
    for (std::size_t i = 0; list.is_list() && i < list.size(); ++i)
        out.push_back({list.item(i).at("name").text(), value(list.item(i).at("default"))});
    return out;
}

/// Densities of 1 are the dense problem; everything else is refused.
void refuse_densities(const Place& holder) {
    for (const std::string_view key : kDensityKeys) {
        const Place densities = holder.at(key);
        std::vector<Place> each;
        if (densities.is_map() && !densities.at("density").present())
            for (std::size_t i = 0; i < densities.size(); ++i) each.push_back(densities.item(i));
        else if (densities.present())
            each.push_back(densities);
        for (const Place& one : each) {
            const Place density = one.is_map() ? one.at("density") : one;
            const auto value = number(density, {});
            if (value && *value != 1)
                density.mistake("sparse data is not modelled; needs a density of 1");
        }
    }
}

/// Sizes and coefficients that the instance gives.
void read_instance(const Place& instance, const Names& names, Scope& scope) {
    for (Dimension& dimension : scope.dimensions) {
        const Place size = instance.at(dimension.name);
        if (!size.present()) {
            size.wrong(fmt::format("the size of dimension {}", dimension.name));
            continue;
        }
        dimension.size = whole_number(size, names, 1).value_or(1);
    }
    for (Coefficient& coefficient : scope.coefficients) {
        const Place value = instance.at(coefficient.name);
        if (value.present()) coefficient.value = whole_number(value, names, 1);
    }
    refuse_densities(instance);
}

Workload of_preset(const ShapeText& shape, const Place& place, const Place& instance,
                   const Names& names) {
    Scope scope;
    for (const std::string_view name : split(shape.dimensions, ' '))
        scope.dimensions.push_back({std::string(name), 1});
    for (const std::string_view name : split(shape.coefficients, ' '))
        if (!name.empty()) scope.coefficients.push_back({std::string(name), 1});
    read_instance(instance, names, scope);
    Workload workload{.name = std::string(shape.name), .dimensions = scope.dimensions};
    for (const auto& text : shape.data_spaces) {
        DataSpace data_space{.name = std::string(text.name), .output = text.output};
        for (const std::string_view rank : split(text.ranks, ','))
            data_space.ranks.push_back(rank_of_text(place, rank, scope));
        workload.data_spaces.push_back(std::move(data_space));
    }
    return workload;
}

Workload of_shape(const Place& shape, const Place& instance, const Names& names) {
    shape.only_keys(kShapeKeys);
    for (const auto key : {"flatten"sv, "flattened_dimensions"sv})
        if (shape.at(key).size() != 0) shape.at(key).mistake("flattening is not modelled");
    Scope scope;
    const Place dimensions = shape.at("dimensions");
    for (const std::string& text : dimensions.texts())  // a list, or "M, N K"
        for (const std::string_view words : split(text, ','))
            for (const std::string_view name : split(words, ' '))
                if (!name.empty()) scope.dimensions.push_back({std::string(name), 1});
    if (scope.dimensions.empty()) dimensions.wrong("a list of dimensions like [M, N, K]");
    scope.coefficients = read_coefficients(shape.at("coefficients"), names);
    read_instance(instance, names, scope);
    Workload workload;
    workload.name = shape.at("name").raw();
    if (workload.name.empty()) workload.name = "problem";
    read_data_spaces(shape.at("data_spaces"), scope, workload);
    workload.dimensions = std::move(scope.dimensions);
    return workload;
}

}  // namespace

Workload problem(const Place& root) {
    const Place place = part(root, "problem");
    if (!place.is_map()) {
        place.wrong("a problem with shape and instance");
        return {};
    }
    const Names names{root.at("variables").node()};
    const Place shape = place.at("shape");
    // The sizes stand under `instance`, or beside the shape in the old flat style.
    const Place instance = place.at("instance").present() ? place.at("instance") : place;
    if (!instance.is_map()) instance.wrong("the sizes of the dimensions, like {M: 4, N: 8}");
    if (place.at("instance").present()) refuse_densities(place);
    if (shape.is_map()) return of_shape(shape, instance, names);
    const std::string_view name = shape.present() ? shape.raw() : "cnn_layer";
    const ShapeText* known = preset(name);
    if (known == nullptr || (!shape.present() && !instance.at("R").present())) {
        shape.wrong("a shape with dimensions and data_spaces, or one of cnn_layer gemm_ABZ gemm");
        return {};
    }
    return of_preset(*known, shape, instance, names);
}

}  // namespace reference::timeloop
