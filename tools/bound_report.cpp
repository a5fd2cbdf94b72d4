// Columns, fields and curves.
// Counts nothing but the quotients it shows.
// See bound_report.hpp.
#include "tools/bound_report.hpp"

#include "grader/json.hpp"
#include "reference/printable.hpp"
#include "tools/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

namespace tools {

namespace {

using grader::Json;
using reference::BoundPoint;

constexpr std::int64_t kOperands = 3;  // of one operation, outside the buffer if they bypass it

std::string loops_text(const reference::Workload& workload,
                       const std::vector<reference::Loop>& loops) {
    std::string text;
    for (const reference::Loop& loop : loops)
        text += fmt::format("{}{}={}", text.empty() ? "" : " ",
                            reference::printable(workload.dimensions[index(loop.dimension)].name),
                            loop.bound);
    return text.empty() ? "-" : text;
}

std::string bypassed_text(const reference::Workload& workload, const BoundPoint& point) {
    std::string text;
    for (std::size_t t = 0; t < workload.data_spaces.size(); ++t)
        if (!point.best.mapping.levels[1].keep[t])
            text += (text.empty() ? "" : " ") + reference::printable(workload.data_spaces[t].name);
    return text.empty() ? "-" : text;
}

double times_compulsory(const BoundReport& report, const BoundPoint& point) {
    return static_cast<double>(point.traffic) / static_cast<double>(report.bound.compulsory);
}

double times_floor(const BoundReport& report, const BoundPoint& point) {
    return static_cast<double>(point.traffic) / floor_words(report, point.buffer_words);
}

using Row = std::vector<std::string>;

/// Columns two spaces apart; the first `right` of them aligned to the right.
std::string aligned(const std::vector<Row>& rows, std::size_t right) {
    std::vector<std::size_t> widths(rows.front().size(), 0);
    for (const Row& row : rows)
        for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
    std::string text;
    for (const Row& row : rows) {
        std::string line;
        for (std::size_t c = 0; c < row.size(); ++c)
            line += c < right ? fmt::format("{:>{}}  ", row[c], widths[c])
                              : fmt::format("{:<{}}  ", row[c], widths[c]);
        text += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
    }
    return text;
}

std::string head_lines(const BoundReport& report) {
    const reference::Workload& workload = report.workload;
    std::string sizes;
    for (const reference::Dimension& d : workload.dimensions)
        sizes += fmt::format(" {}={}", reference::printable(d.name), d.size);
    std::string text = fmt::format(
        "{}:{}\n", workload.name.empty() ? "problem" : reference::printable(workload.name), sizes);
    text += fmt::format("compulsory traffic: {} words\n", report.bound.compulsory);
    text += fmt::format(
        "least traffic {} {} candidates; {}, {}\n",
        report.bound.proven ? "proven over" : "NOT PROVEN, found among some of",
        report.bound.candidates,
        report.options.bypass ? "tensors may bypass the buffer"
                              : "all tensors are kept in the buffer",
        report.options.orders.repeated_loops ? "any loops" : "one loop per dimension and level");
    if (const auto product = reference::as_matrix_product(workload))
        text += fmt::format(
            "floor: the larger of the compulsory traffic and 2mnk/sqrt(S) - 2S, m={} n={} k={}, "
            "S = buffer{}\n",
            product->m, product->n, product->k, report.options.bypass ? " + 3" : "");
    return text;
}

Json loops_json(const reference::Workload& workload, const std::vector<reference::Loop>& loops) {
    Json list = Json::array();
    for (const reference::Loop& loop : loops)
        list.push(Json::array({workload.dimensions[index(loop.dimension)].name, loop.bound}));
    return list;
}

Json point_json(const BoundReport& report, const BoundPoint& point) {
    const auto& levels = point.best.mapping.levels;
    Json kept = Json::array();
    for (std::size_t t = 0; t < report.workload.data_spaces.size(); ++t)
        if (levels[1].keep[t]) kept.push(report.workload.data_spaces[t].name);
    return Json::object({{"buffer_words", point.buffer_words},
                         {"traffic_words", point.traffic},
                         {"times_compulsory", times_compulsory(report, point)},
                         {"floor_words", floor_words(report, point.buffer_words)},
                         {"dram_loops", loops_json(report.workload, levels[0].temporal)},
                         {"tile", loops_json(report.workload, levels[1].temporal)},
                         {"keep", std::move(kept)}});
}

/// Smooth enough between two buffer sizes on a logarithmic axis.
Curve floor_curve(const BoundReport& report, double first, double last) {
    constexpr int kPieces = 128;
    Curve curve{"proven floor of the matrix product", {}, Curve::Style::straight};
    for (int i = 0; i <= kPieces; ++i) {
        const double words = first * std::pow(last / first, double(i) / kPieces);
        const auto whole = static_cast<std::int64_t>(words);
        curve.points.push_back({static_cast<double>(whole), floor_words(report, whole)});
    }
    return curve;
}

}  // namespace

double floor_words(const BoundReport& report, std::int64_t buffer_words) {
    const auto compulsory = static_cast<double>(report.bound.compulsory);
    const auto product = reference::as_matrix_product(report.workload);
    const std::int64_t fast = buffer_words + (report.options.bypass ? kOperands : 0);
    if (!product || fast == 0) return compulsory;
    return std::max(compulsory, reference::matrix_product_bound(*product, fast));
}

std::string bound_table(const BoundReport& report) {
    const bool product = reference::as_matrix_product(report.workload).has_value();
    std::vector<Row> rows{{"buffer words", "traffic words", "x compulsory"}};
    if (product) rows[0].emplace_back("x floor");
    const std::size_t right = rows[0].size();
    for (const char* name : {"DRAM loops, outermost first", "tile", "bypass"})
        rows[0].emplace_back(name);
    for (const BoundPoint& point : report.bound.points) {
        const auto& levels = point.best.mapping.levels;
        Row row{fmt::format("{}", point.buffer_words), fmt::format("{}", point.traffic),
                fmt::format("{:.3f}", times_compulsory(report, point))};
        if (product) row.push_back(fmt::format("{:.3f}", times_floor(report, point)));
        row.push_back(loops_text(report.workload, levels[0].temporal));
        row.push_back(loops_text(report.workload, levels[1].temporal));
        row.push_back(bypassed_text(report.workload, point));
        rows.push_back(std::move(row));
    }
    return head_lines(report) + '\n' + aligned(rows, right);
}

std::string bound_json(const BoundReport& report) {
    Json points = Json::array();
    for (const BoundPoint& point : report.bound.points) points.push(point_json(report, point));
    Json product;
    if (const auto found = reference::as_matrix_product(report.workload))
        product = Json::object({{"m", found->m}, {"n", found->n}, {"k", found->k}});
    const auto& asked = report.options.buffer_words;
    return grader::dump(Json::object({{"problem", report.workload.name},
                                      {"proven", report.bound.proven},
                                      {"asked_buffer_words", asked ? Json(*asked) : Json()},
                                      {"bypass", report.options.bypass},
                                      {"repeated_loops", report.options.orders.repeated_loops},
                                      {"candidates", report.bound.candidates},
                                      {"tiles_tried", report.bound.tiles_tried},
                                      {"compulsory_words", report.bound.compulsory},
                                      {"matrix_product", std::move(product)},
                                      {"points", std::move(points)}}));
}

std::string bound_svg(const BoundReport& report) {
    const auto& points = report.bound.points;
    const auto first = static_cast<double>(std::max<std::int64_t>(
        1, points[points.size() > 1 && points[0].buffer_words == 0 ? 1 : 0].buffer_words));
    const double last = 2 * std::max(first, static_cast<double>(points.back().buffer_words));
    const auto compulsory = static_cast<double>(report.bound.compulsory);
    LineChart chart{fmt::format("Least off-chip traffic of {}{}",
                                report.workload.name.empty() ? "the problem" : report.workload.name,
                                report.bound.proven ? "" : " (not proven)"),
                    {"buffer, words", Scale::logarithmic},
                    {"DRAM reads + updates, words", Scale::logarithmic},
                    {}};
    Curve least{"least traffic", {}, Curve::Style::steps};
    for (const BoundPoint& point : points)
        least.points.push_back(
            {static_cast<double>(point.buffer_words), static_cast<double>(point.traffic)});
    least.points.push_back({last, static_cast<double>(points.back().traffic)});
    chart.curves.push_back(std::move(least));
    chart.curves.push_back(
        {"compulsory", {{first, compulsory}, {last, compulsory}}, Curve::Style::straight});
    if (reference::as_matrix_product(report.workload))
        chart.curves.push_back(floor_curve(report, first, last));
    return draw(chart);
}

}  // namespace tools
