// Writes a case as JSON.
// Does not read one.
// See case_json.hpp.
#include "grader/case_json.hpp"

namespace grader {

namespace {

using reference::Case;

Json optional_number(const std::optional<std::int64_t>& value) {
    return value ? Json(*value) : Json();
}
Json optional_number(const std::optional<double>& value) {
    return value ? Json(*value) : Json();
}

const std::string& dimension_name(const Case& made, reference::DimensionId id) {
    return made.workload.dimensions[reference::index(id)].name;
}

Json rank_json(const Case& made, const reference::Rank& rank) {
    Json terms = Json::array();
    for (const reference::Term& term : rank)
        terms.push(Json::array({dimension_name(made, term.dimension), term.coefficient}));
    return terms;
}

Json workload_json(const Case& made) {
    Json dimensions = Json::object();
    for (const reference::Dimension& dimension : made.workload.dimensions)
        dimensions.set(dimension.name, dimension.size);
    Json tensors = Json::array();
    for (const reference::DataSpace& space : made.workload.data_spaces) {
        Json ranks = Json::array();
        for (const reference::Rank& rank : space.ranks) ranks.push(rank_json(made, rank));
        tensors.push(Json::object(
            {{"name", space.name}, {"ranks", std::move(ranks)}, {"output", space.output}}));
    }
    return Json::object({{"name", made.workload.name},
                         {"dimensions", std::move(dimensions)},
                         {"tensors", std::move(tensors)}});
}

Json architecture_json(const Case& made) {
    Json levels = Json::array();
    for (const reference::StorageLevel& level : made.architecture.levels)
        levels.push(Json::object({{"name", level.name},
                                  {"capacity_words", optional_number(level.capacity_words)},
                                  {"word_bits", level.word_bits},
                                  {"instances", level.instances},
                                  {"read_bandwidth", optional_number(level.read_bandwidth)},
                                  {"write_bandwidth", optional_number(level.write_bandwidth)}}));
    return Json::object({{"levels", std::move(levels)}});
}

Json loops_json(const Case& made, const std::vector<reference::Loop>& loops) {
    Json list = Json::array();
    for (const reference::Loop& loop : loops)
        list.push(Json::array({dimension_name(made, loop.dimension), loop.bound}));
    return list;
}

Json mapping_json(const Case& made) {
    Json levels = Json::array();
    for (std::size_t i = 0; i < made.mapping.levels.size(); ++i) {
        const reference::MappingLevel& level = made.mapping.levels[i];
        Json keep = Json::array();
        for (std::size_t space = 0; space < level.keep.size(); ++space)
            if (level.keep[space]) keep.push(made.workload.data_spaces[space].name);
        levels.push(Json::object({{"name", made.architecture.levels[i].name},
                                  {"temporal", loops_json(made, level.temporal)},
                                  {"spatial", loops_json(made, level.spatial)},
                                  {"keep", std::move(keep)}}));
    }
    return Json::object({{"levels", std::move(levels)}});
}

}  // namespace

Json case_json(const Case& made) {
    return Json::object({{"workload", workload_json(made)},
                         {"architecture", architecture_json(made)},
                         {"mapping", mapping_json(made)}});
}

}  // namespace grader
