// From a result to a bar chart.
// Does not draw: svg.hpp does.
// See model_plot.hpp.
#include "tools/model_plot.hpp"

#include "tools/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace tools {

namespace {

// On a linear axis of 320 pixels such a bar would be less than three pixels high.
constexpr double kMostLinear = 120;

std::vector<double> bar(const ModelResult& result, std::size_t level, std::size_t d) {
    const reference::LevelTraffic& here = result.traffic.levels[level];
    if (!here.movements[d]) return {};
    if (result.energy) return {result.energy->accesses_pj[level][d]};
    const reference::Words words = here.movements[d]->total;
    return {static_cast<double>(words.reads), static_cast<double>(words.fills),
            static_cast<double>(words.updates)};
}

Scale scale_for(const std::vector<BarChart::Group>& groups) {
    double least = 0;
    double most = 0;
    for (const BarChart::Group& group : groups) {
        for (const auto& parts : group.bars) {
            double sum = 0;
            for (const double part : parts) sum += part;
            if (sum <= 0) continue;
            least = least == 0 ? sum : std::min(least, sum);
            most = std::max(most, sum);
        }
    }
    return most > kMostLinear * least ? Scale::logarithmic : Scale::linear;
}

}  // namespace

std::string model_plot(const ModelResult& result) {
    const bool energy = result.energy.has_value();
    BarChart chart;
    chart.title =
        fmt::format("{} of {} ({})", energy ? "Energy" : "Traffic",
                    result.input.workload.name.empty() ? "the problem" : result.input.workload.name,
                    semantics_text(result.semantics));
    chart.y.label = energy ? "pJ" : "words, all instances";
    if (!energy) chart.parts = {"reads", "fills", "updates"};
    for (const reference::DataSpace& space : result.input.workload.data_spaces)
        chart.series.push_back(space.name);
    for (std::size_t level = 0; level < result.traffic.levels.size(); ++level) {
        BarChart::Group& group = chart.groups.emplace_back();
        group.name = result.traffic.levels[level].name;
        for (std::size_t d = 0; d < chart.series.size(); ++d)
            group.bars.push_back(bar(result, level, d));
    }
    if (energy) {  // computing is a group of its own, in the colour of no tensor
        chart.series.emplace_back("computing");
        std::vector<std::vector<double>> bars(chart.series.size());
        bars.back() = {result.energy->compute_pj};
        chart.groups.push_back({"units", std::move(bars)});
    }
    chart.y.scale = scale_for(chart.groups);
    return draw(chart);
}

}  // namespace tools
