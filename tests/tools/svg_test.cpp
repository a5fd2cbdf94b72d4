// Tests of tools/svg.hpp: ticks, numbers, well-formed text.
// Not of how a chart looks.
// Run by the unit suite.
#include "tools/svg.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace {

using tools::Scale;

std::size_t count(const std::string& text, std::string_view part) {
    std::size_t found = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    return found;
}

bool holds(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

/// Every tag is closed in order, and there is no number that is none.
void check_well_formed(const std::string& svg) {
    std::vector<std::string> open;
    for (auto at = svg.find('<'); at != std::string::npos; at = svg.find('<', at + 1)) {
        const auto end = svg.find('>', at);
        REQUIRE(end != std::string::npos);
        const std::string tag = svg.substr(at + 1, end - at - 1);
        const std::string name = tag.substr(tag[0] == '/' ? 1 : 0, tag.find(' '));
        if (tag[0] == '/') {
            REQUIRE_FALSE(open.empty());
            CHECK(open.back() == name);
            open.pop_back();
        } else if (tag.back() != '/') {
            open.push_back(name);
        }
    }
    CHECK(open.empty());
    CHECK_FALSE(holds(svg, "nan"));
    CHECK_FALSE(holds(svg, "inf"));
}

tools::BarChart bars(Scale scale) {
    return {"Traffic",
            {"words", scale},
            {"A", "<Z&\">"},
            {"reads", "updates"},
            {{"DRAM", {{96, 0}, {72, 96}}}, {"Buffer", {{}, {168, 192}}}}};
}

}  // namespace

TEST_CASE("svg: ticks are round, cover the range and are about as many as wanted") {
    CHECK(tools::ticks(Scale::linear, 0, 10, 5) == std::vector<double>{0, 2, 4, 6, 8, 10});
    CHECK(tools::ticks(Scale::linear, 0, 0, 5).size() >= 2);
    CHECK(tools::ticks(Scale::logarithmic, 3, 700, 5) ==
          std::vector<double>{1, 2, 5, 10, 20, 50, 100, 200, 500, 1000});
    CHECK(tools::ticks(Scale::logarithmic, 1, 1e6, 5) ==
          std::vector<double>{1, 10, 100, 1e3, 1e4, 1e5, 1e6});
    for (const double high : {0.3, 1.0, 7.0, 99.0, 1e6, 12345678.0, 9.2e18}) {
        for (const Scale scale : {Scale::linear, Scale::logarithmic}) {
            const auto marks = tools::ticks(scale, high / 100, high, 6);
            CAPTURE(high);
            REQUIRE(marks.size() >= 2);
            CHECK(marks.size() <= 14);
            CHECK(marks.front() <= high / 100 * (1 + 1e-9));
            CHECK(marks.back() >= high * (1 - 1e-9));
            for (std::size_t i = 1; i < marks.size(); ++i) CHECK(marks[i] > marks[i - 1]);
        }
    }
}

TEST_CASE("svg: short numbers") {
    CHECK(tools::short_number(0) == "0");
    CHECK(tools::short_number(12) == "12");
    CHECK(tools::short_number(999) == "999");
    CHECK(tools::short_number(999.9) == "1k");
    CHECK(tools::short_number(999999) == "1M");
    CHECK(tools::short_number(1500) == "1.5k");
    CHECK(tools::short_number(2'000'000) == "2M");
    CHECK(tools::short_number(9.2e18) == "9.2E");
    CHECK(tools::short_number(0.05) == "0.05");
}

TEST_CASE("svg: a bar chart has one rectangle per part, labelled sums and escaped names") {
    const std::string svg = tools::draw(bars(Scale::linear));
    check_well_formed(svg);
    CHECK(count(svg, "fill-opacity") == 6 + 4);  // parts, and the legend of series and parts
    CHECK(holds(svg, ">360</text>"));
    CHECK(holds(svg, "&lt;Z&amp;&quot;&gt;"));
    CHECK_FALSE(holds(svg, "<Z"));
}

TEST_CASE("svg: a logarithmic bar is drawn as its sum, and zero has no height") {
    tools::BarChart chart = bars(Scale::logarithmic);
    chart.groups[0].bars[0] = {0, 0};
    const std::string svg = tools::draw(chart);
    check_well_formed(svg);
    CHECK(count(svg, "height=\"0.0\"") == 1);
    CHECK(count(svg, "<rect x=") == 3 + 2);
}

TEST_CASE("svg: curves leave out what an axis cannot show") {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    tools::LineChart chart{
        "Bound",
        {"buffer / words", Scale::logarithmic},
        {"off-chip words", Scale::logarithmic},
        {{"least", {{1, 100}, {10, 50}, {0, 7}, {nan, 3}}, tools::Curve::Style::steps},
         {"mappings", {{5, 60}}, tools::Curve::Style::dots}}};
    const std::string svg = tools::draw(chart);
    check_well_formed(svg);
    CHECK(count(svg, "<polyline") == 1);
    CHECK(count(svg, "<circle") == 2);  // the point and its legend
    const auto points = svg.find("points=\"") + 8;
    CHECK(count(svg.substr(points, svg.find('"', points) - points), ",") == 3);  // with the step
}

TEST_CASE("svg: names of any bytes give a document") {
    tools::BarChart chart = bars(Scale::linear);
    chart.title = "\x1b[1m\xff\xc3 caf\xc3\xa9\n\0x";
    const std::string svg = tools::draw(chart);
    check_well_formed(svg);
    CHECK(holds(svg, ">[1m caf\xc3\xa9</title>"));
    CHECK_FALSE(holds(svg, "\x1b"));
    CHECK_FALSE(holds(svg, "\xff"));
}

TEST_CASE("svg: nothing to draw is still a picture") {
    check_well_formed(tools::draw(tools::LineChart{}));
    check_well_formed(tools::draw(tools::BarChart{}));
    check_well_formed(tools::draw(tools::BarChart{"", {"", Scale::logarithmic}, {}, {}, {}}));
}
