// `mapping`: directives to loops and kept data spaces of each level.
// Does not check products of factors, capacities or fanouts.
// See timeloop_parts.hpp.
#include "reference/timeloop_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

namespace reference::timeloop {

namespace {

using namespace std::string_view_literals;

constexpr std::array kDirectiveKeys{"target"sv,      "type"sv, "factors"sv, "permutation"sv,
                                    "split"sv,       "keep"sv, "bypass"sv,  "keep_only"sv,
                                    "bypass_only"sv, "name"sv, "version"sv, "factors_only"sv};
// Switches of a directive that change counts; an empty list is the same as none.
constexpr std::array kSwitches{"no_reuse"sv,
                               "no_link_transfer"sv,
                               "no_link_transfers"sv,
                               "no_multicast"sv,
                               "no_multicast_no_reduction"sv,
                               "no_temporal_reuse"sv,
                               "rmw_first_update"sv,
                               "rmw_on_first_writeback"sv,
                               "no_coalesce"sv,
                               "passthrough"sv,
                               "maximize_dims"sv};
// Of constraints: they guide a search and say nothing about a mapping.
constexpr std::array kSearchKeys{
    "default_max_factor"sv,           "default_min_factor"sv,           "remainders"sv,
    "no_iteration_over_dataspaces"sv, "must_iterate_over_dataspaces"sv, "maximize_dims_capacity"sv};

/// The loops of one level in time or in space, as far as directives have said.
struct Nest {
    Factors factors;
    std::vector<std::size_t> permutation;
    std::optional<std::int64_t> split;
};

struct LevelPlan {
    Nest temporal;
    Nest spatial;
    std::vector<std::optional<bool>> keep;
};

bool is_fanout(std::string_view level) {
    return level.substr(0, 6) == "inter_" && level.size() > 14 &&
           level.substr(level.size() - 8) == "_spatial";
}

class Planner {
  public:
    Planner(const Workload& workload, const Architecture& architecture, bool nodes)
        : workload_(workload), architecture_(architecture), nodes_(nodes) {
        const Nest nest{Factors(workload.dimensions.size()), {}, std::nullopt};
        const std::vector<std::optional<bool>> keep(workload.data_spaces.size());
        plans_.assign(architecture.levels.size(), {nest, nest, keep});
        given_.assign(architecture.levels.size(), {});
    }

    /// Constraints of a node; directives for the same level come after and win.
    void constraints(const NodeConstraints& node) {
        for (const auto type : {"temporal"sv, "spatial"sv, "dataspace"sv})
            if (node.constraints.at(type).present())
                apply(node.constraints.at(type), node.name, type, false);
    }

    /// An entry of a list of constraints, in the form of a directive.
    void constraint(const Place& place) {
        apply(place, std::string(place.at("target").raw()), place.at("type").raw(), false);
    }

    void directive(const Place& place) {
        if (!place.is_map()) return place.wrong("a directive with target and type");
        const std::string type = place.at("type").text("temporal, spatial or bypass");
        if (type.empty()) return;
        if (type == "skew") return place.at("type").mistake("skew is not modelled");
        std::vector<std::string_view> known(kDirectiveKeys.begin(), kDirectiveKeys.end());
        known.insert(known.end(), kSwitches.begin(), kSwitches.end());
        known.insert(known.end(), kSearchKeys.begin(), kSearchKeys.end());
        place.only_keys(known);
        apply(place, place.at("target").text("the name of a level"), type, true);
    }

    /// In each group of branches: what one branch keeps by name, the others bypass.
    void parallel(const Parallel& branches) {
        std::vector<std::vector<bool>> kept;
        for (const Branch& branch : branches) kept.push_back(kept_by(branch));
        for (std::size_t d = 0; d < workload_.data_spaces.size(); ++d) {
            const auto keeps = [d](const std::vector<bool>& k) { return bool(k[d]); };
            if (std::none_of(kept.begin(), kept.end(), keeps)) continue;
            for (std::size_t b = 0; b < branches.size(); ++b)
                for (const std::size_t level : branches[b].levels)
                    if (!kept[b][d] && !plans_[level].keep[d]) plans_[level].keep[d] = false;
        }
    }

    [[nodiscard]] Mapping mapping() const {
        Mapping out;
        for (std::size_t i = 0; i < plans_.size(); ++i) {
            MappingLevel& level = out.levels.emplace_back();
            std::size_t along_y = 0;
            level.temporal = loops(plans_[i].temporal, along_y);
            along_y = 0;
            level.spatial = loops(plans_[i].spatial, along_y);
            level.spatial_y = along_y;
            const bool by_default = !is_fanout(architecture_.levels[i].name);
            for (const auto& keep : plans_[i].keep) level.keep.push_back(keep.value_or(by_default));
        }
        return out;
    }

  private:
    /// By name; then by number, which counts from the innermost; a range behind a name does not
    /// matter. Spatial loops of a node with a fanout are those of its inter_NAME_spatial.
    std::optional<std::size_t> level_of(std::string name, bool spatial) const {
        name = name.substr(0, name.find('['));
        const auto named = [&](const std::string& wanted) -> std::optional<std::size_t> {
            for (std::size_t i = 0; i < architecture_.levels.size(); ++i)
                if (architecture_.levels[i].name == wanted) return i;
            return std::nullopt;
        };
        if (spatial)
            if (const auto level = named("inter_" + name + "_spatial")) return level;
        if (const auto level = named(name)) return spatial ? fanout_below(*level) : level;
        const bool number = !name.empty() && name.size() < 9 &&
                            name.find_first_not_of("0123456789") == std::string::npos;
        if (!number) return std::nullopt;
        const auto from_inside = static_cast<std::size_t>(std::stoul(name));
        if (from_inside >= architecture_.levels.size()) return std::nullopt;
        return architecture_.levels.size() - 1 - from_inside;
    }

    /// Spatial loops of a level right around a single fanout level are the fanout's.
    std::size_t fanout_below(std::size_t level) const {
        const auto& levels = architecture_.levels;
        const bool one = level + 1 < levels.size() && is_fanout(levels[level + 1].name) &&
                         !is_fanout(levels[level].name) &&
                         (level + 2 == levels.size() || !is_fanout(levels[level + 2].name));
        return one ? level + 1 : level;
    }

    void refuse_switches(const Place& place) const {
        for (const std::string_view key : kSwitches) {
            const Place one = place.at(key);
            if (one.present() && (one.is_text() ? one.raw() != "false" : one.size() != 0))
                one.mistake(fmt::format("'{}' is not modelled", key));
        }
    }

    void apply(const Place& place, const std::string& target, std::string_view type, bool exact) {
        if (target.empty()) return;
        refuse_switches(place);
        const bool temporal = type == "temporal";
        const bool spatial = type == "spatial";
        const bool data = type == "bypass" || type == "datatype" || type == "dataspace";
        if (!temporal && !spatial && !data) {
            if (exact)
                place.at("type").wrong("temporal, spatial, or bypass (also: datatype, dataspace)");
            return;
        }
        const auto level = level_of(target, spatial);
        if (!level) return no_level(place, target);
        if (data) return keeps(place, plans_[*level].keep);
        nest(place, temporal ? plans_[*level].temporal : plans_[*level].spatial, exact,
             given_[*level][temporal ? 0 : 1]);
    }

    void no_level(const Place& place, const std::string& target) const {
        if (architecture_.compute &&
            architecture_.compute->name == target.substr(0, target.find('['))) {
            Nest nothing{Factors(workload_.dimensions.size()), {}, std::nullopt};
            bool given = false;
            nest(place, nothing, false, given);
            if (std::all_of(nothing.factors.begin(), nothing.factors.end(),
                            [](const auto& f) { return !f || f->bound == 1; }))
                return;  // says nothing
        }
        std::string names;
        for (const StorageLevel& level : architecture_.levels)
            names += (names.empty() ? "" : " ") + level.name;
        place.at("target").mistake(
            fmt::format("there is no storage level {}; needs one of {}", quoted(target), names));
    }

    /// The last of several directives for the same loops counts, on top of the constraints.
    void nest(const Place& place, Nest& out, bool exact, bool& given) const {
        if (exact && given) {
            out = {Factors(workload_.dimensions.size()), {}, std::nullopt};
        }
        given = given || exact;
        const Place factors = place.has("factors") ? place.at("factors") : place.at("factors_only");
        const Factors read = read_factors(factors, workload_, exact);
        for (std::size_t d = 0; d < read.size(); ++d)
            if (read[d]) out.factors[d] = read[d];
        if (place.has("permutation"))
            out.permutation = read_permutation(place.at("permutation"), workload_);
        if (place.has("split")) out.split = whole_number(place.at("split"), {}, 0);
    }

    void keeps(const Place& place, std::vector<std::optional<bool>>& keep) const {
        const auto set = [&](const Place& list, bool value) {
            for (const std::size_t d : data_spaces(list)) keep[d] = value;
        };
        if (place.has("keep_only")) std::fill(keep.begin(), keep.end(), false);
        if (place.has("bypass_only")) std::fill(keep.begin(), keep.end(), true);
        set(place.at("keep_only"), true);
        set(place.at("keep"), true);
        set(place.at("bypass_only"), false);
        set(place.at("bypass"), false);
    }

    std::vector<std::size_t> data_spaces(const Place& list) const {
        std::vector<std::size_t> out;
        for (const std::string& name : list.texts()) {
            const auto& all = workload_.data_spaces;
            const auto found = std::find_if(all.begin(), all.end(),
                                            [&](const DataSpace& d) { return d.name == name; });
            if (found != all.end())
                out.push_back(static_cast<std::size_t>(found - all.begin()));
            else if (name == "*")
                for (std::size_t d = 0; d < all.size(); ++d) out.push_back(d);
            else
                no_data_space(list, name);
        }
        return out;
    }

    void no_data_space(const Place& list, const std::string& name) const {
        std::string names;
        for (const DataSpace& one : workload_.data_spaces)
            names += (names.empty() ? "" : " ") + one.name;
        list.mistake(
            fmt::format("there is no data space {}; needs one of {}", quoted(name), names));
    }

    std::vector<bool> kept_by(const Branch& branch) const {
        std::vector<bool> kept(workload_.data_spaces.size(), false);
        for (const Place& constraints : branch.keeps)
            for (const auto key : {"keep"sv, "keep_only"sv})
                for (const std::size_t d : data_spaces(constraints.at("dataspace").at(key)))
                    kept[d] = true;
        for (const std::size_t level : branch.levels)
            for (std::size_t d = 0; d < kept.size(); ++d)
                if (plans_[level].keep[d] == true) kept[d] = true;
        return kept;
    }

    /// Outermost first, without those of bound 1. Dimensions that the permutation does not name
    /// come outside of it, in the order of the workload. `along_y`: loops beyond the split.
    std::vector<Loop> loops(const Nest& nest, std::size_t& along_y) const {
        std::vector<std::size_t> order = nest.permutation;
        std::size_t trivial = 0;  // the front end puts loops of bound 1 innermost before it splits
        for (std::size_t d = 0; d < nest.factors.size(); ++d) {
            if (std::find(order.begin(), order.end(), d) != order.end()) continue;
            const auto& factor = nest.factors[d];
            trivial += (factor ? factor->bound : workload_.dimensions[d].size) == 1 ? 1 : 0;
            order.push_back(d);
        }
        const auto split =
            static_cast<std::size_t>(nest.split.value_or(std::numeric_limits<std::int64_t>::max()));
        std::vector<Loop> out;
        for (std::size_t i = order.size(); i-- > 0;) {
            const auto& factor = nest.factors[order[i]];
            if (!factor || factor->bound == 1) continue;
            along_y += i + (nodes_ ? trivial : 0) >= split ? 1 : 0;
            out.push_back(*factor);
        }
        return out;
    }

    const Workload& workload_;
    const Architecture& architecture_;
    bool nodes_;
    std::vector<LevelPlan> plans_;
    std::vector<std::array<bool, 2>> given_;  // a directive for the loops in time, in space
};

}  // namespace

Mapping mapping(const Place& root, const Workload& workload, const Architecture& architecture,
                const ArchitecturePart* part) {
    const Place place = timeloop::part(root, "mapping");
    const bool nodes = part != nullptr && part->nodes;
    Planner planner(workload, architecture, nodes);
    bool any = false;
    for (std::size_t i = 0; nodes && i < part->constraints.size(); ++i) {
        planner.constraints(part->constraints[i]);
        any = true;
    }
    const Place targets = root.at("constraints").at("targets");
    for (std::size_t i = 0; nodes && targets.is_list() && i < targets.size(); ++i)
        planner.constraint(targets.item(i));
    for (std::size_t i = 0; place.is_list() && i < place.size(); ++i)
        planner.directive(place.item(i));
    if (!place.is_list() && (place.present() || !any))
        place.wrong("a list of directives, each with target and type");
    for (std::size_t i = 0; nodes && i < part->parallels.size(); ++i)
        planner.parallel(part->parallels[i]);
    return planner.mapping();
}

}  // namespace reference::timeloop
