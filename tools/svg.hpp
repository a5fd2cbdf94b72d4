// Charts as SVG text: bars and lines, linear or logarithmic.
// Does not write files and knows nothing of models; needs nothing from outside, not even a font.
// Used by cmd_model*.cpp and cmd_bound*.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tools {

enum class Scale : std::uint8_t { linear, logarithmic };

struct Axis {
    std::string label;
    Scale scale = Scale::linear;
};

struct Point {
    double x = 0;
    double y = 0;
};

/// Curves are told apart by colour and by dashes; a single point is drawn as a dot.
struct Curve {
    enum class Style : std::uint8_t { straight, steps, dots };
    std::string name;           // in the legend; "" keeps it out of there
    std::vector<Point> points;  // in the order they are joined; not finite: left out, and so is
                                // what is not positive on a logarithmic axis
    Style style = Style::straight;
};

struct LineChart {
    std::string title;
    Axis x, y;
    std::vector<Curve> curves;
};

/// Groups stand side by side, in each group one bar per series; a bar is a stack of parts.
struct BarChart {
    struct Group {
        std::string name;
        std::vector<std::vector<double>> bars;  // per series its parts, not negative; {}: no bar
    };
    std::string title;
    Axis y;  // logarithmic: a bar is drawn as its sum, as parts of a logarithm mean nothing
    std::vector<std::string> series;  // one colour each
    std::vector<std::string> parts;   // one pattern each, from the bottom
    std::vector<Group> groups;
};

/// One SVG document. Sizes follow from the contents; text is escaped; light and dark pages.
std::string draw(const LineChart& chart);
std::string draw(const BarChart& chart);

/// "0", "12", "1.5k", "2M", "3.25G": at most `digits` significant digits.
std::string short_number(double value, int digits = 3);

/// Round numbers from at most `low` to at least `high`, ascending: about `wanted` of them on a
/// linear axis; on a logarithmic one decades, with 2 and 5 between where there are few. Both are
/// finite, low <= high, and positive on a logarithmic axis.
std::vector<double> ticks(Scale scale, double low, double high, int wanted);

}  // namespace tools
