// `architecture` in its three styles: a tree of `subtree`, a list of `nodes`, flat `storage`.
// Does not look into attributes: timeloop_component.cpp does.
// See timeloop_parts.hpp.
#include "reference/checked.hpp"
#include "reference/timeloop_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace reference::timeloop {

namespace {

using namespace std::string_view_literals;

constexpr std::array kTopKeys{"problem"sv, "architecture"sv, "arch"sv, "mapping"sv};

/// a x b, or 1 with a mistake.
std::int64_t product(const Place& place, std::int64_t a, std::int64_t b) {
    const Count both = Count(a) * Count(b);
    if (!both.too_large()) return both.value();
    place.mistake("over 2^63-1 instances");
    return 1;
}

Names names_around(const Place& component, const std::vector<Place>& around, const Place& root) {
    Names names{component.at("attributes").node(), component.node()};
    for (const Place& map : around) names.push_back(map.node());
    names.push_back(root.at("variables").node());
    return names;
}

/// `subtree` (0.2, 0.3, and 0.4 as the front end hands it on): outer components first, within a
/// `local` list as well.
class Tree {
  public:
    Tree(const Place& root, ArchitecturePart& part) : root_(root), part_(part) {}

    void node(const Place& node, std::int64_t around) {
        if (!node.is_map()) return node.wrong("a node with local or subtree");
        const Place attributes = node.at("attributes");
        if (attributes.is_map()) around_.insert(around_.begin(), attributes);
        std::int64_t count = around;
        if (node.at("name").present()) {
            const RangedName name = ranged_name(node.at("name"), names(node));
            count = product(node.at("name"), around, name.count);
        }
        const Place local = node.at("local");
        if (local.present() && !local.is_list()) local.wrong("a list of components");
        for (std::size_t i = 0; local.is_list() && i < local.size(); ++i)
            component(local.item(i), count);
        subtree(node.at("subtree"), count);
    }

    void subtree(const Place& subtree, std::int64_t count) {
        if (!subtree.present()) return;
        if (subtree.is_map()) return node(subtree, count);
        if (!subtree.is_list() || subtree.size() > 1)
            return subtree.wrong("a list of one node; Timeloop knows one way inwards");
        if (subtree.size() == 1) node(subtree.item(0), count);
    }

  private:
    [[nodiscard]] Names names(const Place& of) const { return names_around(of, around_, root_); }

    void component(const Place& component, std::int64_t around) {
        const ComponentKind kind = component_kind(component);
        if (kind == ComponentKind::other) return;  // wires and the like, as Timeloop does
        // Attributes of nodes are names for expressions; Timeloop does not hand them down.
        const Attributes attributes{component, {}, names(component)};
        RangedName name = ranged_name(component.at("name"), attributes.names);
        const std::int64_t count = product(component.at("name"), around, name.count);
        auto& out = part_.architecture;
        if (kind == ComponentKind::storage)
            out.levels.push_back(storage_level(attributes, std::move(name.name), count));
        else
            out.compute = compute_units(attributes, std::move(name.name), count);
    }

    const Place& root_;
    ArchitecturePart& part_;
    std::vector<Place> around_;
};

/// `nodes` (0.4): components in order, outermost first; containers multiply what comes after them.
class Nodes {
  public:
    Nodes(const Place& root, ArchitecturePart& part) : root_(root), part_(part) {}

    void list(const Place& nodes, bool parallel) {
        if (!nodes.is_list()) return nodes.wrong("a list of nodes");
        Parallel branches;
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            const std::size_t first = part_.architecture.levels.size();
            const std::size_t kept = kept_.size();
            node(nodes.item(i), parallel);
            if (!parallel) continue;
            Branch& branch = branches.emplace_back();
            for (std::size_t l = first; l < part_.architecture.levels.size(); ++l)
                branch.levels.push_back(l);
            for (std::size_t k = kept; k < kept_.size(); ++k) branch.keeps.push_back(kept_[k]);
        }
        if (parallel) part_.parallels.push_back(std::move(branches));
    }

  private:
    void node(const Place& node, bool parallel) {
        const std::string_view tag = node.tag();
        const bool empty = tag == "!Nothing" && !node.present();
        if (empty) return;
        if (!node.is_map()) return node.wrong("a node like !Component {name: ..., class: ...}");
        if (node.at("enabled").present() && !node.at("enabled").flag()) return;
        const bool component =
            tag == "!Component" || (tag.empty() && !has_nodes(node) && node.at("class").present());
        // Those of a component go with its level.
        if (!component && node.at("constraints").present()) kept_.push_back(node.at("constraints"));
        if (tag == "!Nothing") return;
        if (tag == "!Parallel") return list(node.at("nodes"), true);
        if (tag == "!Hierarchical" || tag == "!Pipelined" || (tag.empty() && has_nodes(node)))
            return list(node.at("nodes"), false);
        if (component) return this->component(node, parallel);
        if (tag == "!Container" || tag.empty()) return container(node, parallel);
        node.mistake(
            fmt::format("{} is no kind of node; needs one of !Component !Container "
                        "!Parallel !Hierarchical !Pipelined !Nothing",
                        quoted(tag)));
    }

    static bool has_nodes(const Place& node) { return node.at("nodes").is_list(); }

    [[nodiscard]] Names names(const Place& of) const { return names_around(of, around_, root_); }

    void container(const Place& node, bool parallel) {
        fanout(node, parallel);
        const Place attributes = node.at("attributes");
        if (attributes.is_map()) around_.insert(around_.begin(), attributes);
    }

    void component(const Place& node, bool parallel) {
        const ComponentKind kind = component_kind(node);
        if (kind == ComponentKind::other) return;  // networks
        fanout(node, parallel);
        const Attributes attributes{node, around_, names(node), true};
        std::string name = ranged_name(node.at("name"), attributes.names).name;
        auto& out = part_.architecture;
        if (node.at("constraints").present() && kind == ComponentKind::storage)
            part_.constraints.push_back({name, node.at("constraints")});
        if (kind == ComponentKind::compute) {
            out.compute = compute_units(attributes, std::move(name), instances());
            out.compute->mesh_x = mesh_x_;
            return;
        }
        out.levels.push_back(storage_level(attributes, std::move(name), instances()));
        out.levels.back().mesh_x = mesh_x_;
    }

    [[nodiscard]] std::int64_t instances() const { return mesh_x_ * mesh_y_; }

    /// A spatial fanout is a level of its own before it takes effect: it holds nothing, and the
    /// spatial loops are its.
    void fanout(const Place& node, bool parallel) {
        const Place spatial = node.at("spatial");
        const auto mesh = [&](std::string_view key) {
            const Place place = spatial.at(key);
            return place.present() ? whole_number(place, names(node), 1).value_or(1) : 1;
        };
        const std::int64_t x = mesh("meshX");
        const std::int64_t y = mesh("meshY");
        if (x == 1 && y == 1) return;
        if (parallel) return spatial.mistake("a fanout below !Parallel; Timeloop knows none");
        const std::string name = node.at("name").text();
        StorageLevel level{.name = fmt::format("inter_{}_spatial", name)};
        level.capacity_words = 1;
        level.word_bits = 1;
        level.instances = instances();
        level.mesh_x = mesh_x_;
        part_.architecture.levels.push_back(std::move(level));
        if (node.at("constraints").at("spatial").present())
            part_.constraints.push_back({name, node.at("constraints")});
        const Count all = Count(mesh_x_) * Count(mesh_y_) * Count(x) * Count(y);
        if (all.too_large()) return spatial.mistake("over 2^63-1 instances");
        mesh_x_ *= x;
        mesh_y_ *= y;
    }

    const Place& root_;
    ArchitecturePart& part_;
    std::vector<Place> around_;  // attributes of the containers so far, the last first
    std::vector<Place> kept_;    // constraints of all nodes so far that are no components
    std::int64_t mesh_x_ = 1;
    std::int64_t mesh_y_ = 1;
};

/// `arithmetic` and `storage`, the innermost level first.
void read_flat(const Place& root, const Place& place, ArchitecturePart& part) {
    const Place storage = place.at("storage");
    if (!storage.is_list() || storage.size() == 0)
        return storage.wrong("a list of storage levels, the innermost first");
    const auto name_of = [](const Place& one) {
        return one.at("name").present() ? std::string(one.at("name").raw()) : std::string();
    };
    for (std::size_t i = storage.size(); i-- > 0;) {
        const Place level = storage.item(i);
        const Attributes attributes{level, {}, names_around(level, {}, root)};
        if (name_of(level).empty()) level.at("name").wrong("the name of the level");
        part.architecture.levels.push_back(storage_level(attributes, name_of(level), 1));
    }
    const Place units = place.at("arithmetic");
    if (!units.is_map()) return units.wrong("the units, with name and instances");
    const Attributes attributes{units, {}, names_around(units, {}, root)};
    part.architecture.compute =
        compute_units(attributes, name_of(units).empty() ? "arithmetic" : name_of(units), 1);
}

}  // namespace

Place part(const Place& root, std::string_view key) {
    const Place found = root.at(key);
    if (found.node() != nullptr) return found;
    const bool whole = std::any_of(kTopKeys.begin(), kTopKeys.end(), [&](std::string_view top) {
        return root.at(top).node() != nullptr;
    });
    return whole ? found : root.named(std::string(key));
}

void refuse_sparse(const Place& root) {
    const Place sparse = root.at("sparse_optimizations");
    if (!sparse.present() || (sparse.size() == 0 && !sparse.is_text())) return;
    const Place targets = sparse.at("targets");
    if (sparse.is_map() && sparse.at("targets").node() != nullptr && targets.size() == 0) return;
    sparse.mistake("sparse optimizations are not modelled");
}

ArchitecturePart architecture(const Place& root) {
    ArchitecturePart out;
    const bool old_key = !root.at("architecture").present() && root.at("arch").present();
    const Place place = part(root, old_key ? "arch" : "architecture");
    if (place.at("nodes").present()) {
        out.nodes = true;
        Nodes(root, out).list(place.at("nodes"), false);
    } else if (place.at("subtree").present()) {
        Tree(root, out).subtree(place.at("subtree"), 1);
    } else if (place.at("storage").present()) {
        read_flat(root, place, out);
    } else {
        place.wrong("an architecture with subtree (0.3) or nodes (0.4)");
        return out;
    }
    if (!place.sound()) return out;
    if (out.architecture.levels.empty())
        place.mistake(
            "no storage level; its class contains one of DRAM SRAM regfile smartbuffer "
            "storage");
    if (!out.architecture.compute)
        place.mistake("no units; their class contains one of mac compute");
    return out;
}

}  // namespace reference::timeloop
