// Draws charts: a frame with axes, then bars or curves, then the legend.
// Does not measure text: widths are estimated from the number of characters.
// See svg.hpp.
#include "tools/svg.hpp"

#include "grader/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <string_view>

namespace tools {

namespace {

// Okabe and Ito's colours, which people with any kind of colour blindness can tell apart. All are
// seen on white and on near-black; yellow and black, which are not, are left out.
constexpr std::array<std::string_view, 6> kColours{"#0072b2", "#e69f00", "#009e73",
                                                   "#cc79a7", "#d55e00", "#56b4e9"};
constexpr std::array<std::string_view, 4> kDashes{"none", "8 4", "2 3", "8 3 2 3"};
constexpr std::array<double, 3> kOpacities{1.0, 0.6, 0.3};

constexpr double kPlotHeight = 320;
constexpr double kTop = 48;
constexpr double kCharacter = 7;  // pixels of a character of 12 pixel text, on average
constexpr double kLine = 18;

constexpr std::string_view kStyle =
    "text{font:12px system-ui,sans-serif;fill:#222}\n"
    ".title{font-size:15px;font-weight:600}\n"
    ".page{fill:#fff}.axis{stroke:#444;fill:none}.grid{stroke:#ddd;fill:none}\n"
    "@media(prefers-color-scheme:dark){text{fill:#ddd}.page{fill:#1a1a1a}\n"
    ".axis{stroke:#aaa}.grid{stroke:#444}}\n";

/// Drops what XML cannot hold: control characters, and bytes that are not UTF-8.
std::string escaped(std::string_view text) {
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = std::max<std::size_t>(1, grader::utf8_length(text, at));
        const bool valid = grader::utf8_length(text, at) > 0;
        const char c = text[at];
        if (c == '&')
            out += "&amp;";
        else if (c == '<')
            out += "&lt;";
        else if (c == '>')
            out += "&gt;";
        else if (c == '"')
            out += "&quot;";
        else if (valid && static_cast<unsigned char>(c) >= 0x20)
            out += text.substr(at, length);
        at += length;
    }
    return out;
}

double text_width(std::string_view text) {
    const auto characters = std::count_if(text.begin(), text.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;  // not the rest of a UTF-8 one
    });
    return kCharacter * static_cast<double>(characters);
}

double widest(const std::vector<std::string>& texts) {
    double width = 0;
    for (const std::string& text : texts) width = std::max(width, text_width(text));
    return width;
}

/// Where the values of an axis lie between two pixels.
class Projection {
  public:
    Projection(Scale scale, std::vector<double> marks) : scale_(scale), marks_(std::move(marks)) {}
    void between(double first, double last) {
        first_ = first;
        last_ = last;
    }
    [[nodiscard]] const std::vector<double>& marks() const { return marks_; }
    [[nodiscard]] double at(double value) const {
        const double low = place(marks_.front());
        const double high = place(marks_.back());
        return first_ + (last_ - first_) * (place(value) - low) / (high - low);
    }

  private:
    [[nodiscard]] double place(double value) const {
        return scale_ == Scale::linear ? value : std::log10(value);
    }
    Scale scale_;
    std::vector<double> marks_;
    double first_ = 0;
    double last_ = 1;
};

/// The picture under construction. Its size is known before anything is drawn.
class Picture {
  public:
    Picture(double width, double height, std::string_view title) {
        out_ = fmt::format(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
            "viewBox=\"0 0 {0:.0f} {1:.0f}\" role=\"img\">\n<title>{2}</title>\n"
            "<style>{3}</style>\n<rect class=\"page\" width=\"100%\" height=\"100%\"/>\n",
            width, height, escaped(title), kStyle);
        add("<text class=\"title\" x=\"{:.0f}\" y=\"24\">{}</text>\n", 12.0, escaped(title));
    }
    template <class... Args>
    void add(fmt::format_string<Args...> format, Args&&... args) {
        fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
    }
    void text(Point at, std::string_view anchor, std::string_view words) {
        add("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", at.x, at.y, anchor,
            escaped(words));
    }
    void line(std::string_view kind, Point from, Point to) {
        add("<line class=\"{}\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n", kind,
            from.x, from.y, to.x, to.y);
    }
    std::string finished() && { return std::move(out_) + "</svg>\n"; }

  private:
    std::string out_;
};

struct Frame {
    double left = 0, right = 0;
    double top = kTop, bottom = kTop + kPlotHeight;
};

double left_margin(const Projection& y) {
    std::vector<std::string> labels;
    for (const double mark : y.marks()) labels.push_back(short_number(mark));
    return 40 + widest(labels);
}

void draw_y_axis(Picture& picture, const Frame& frame, const Projection& y,
                 const std::string& label) {
    for (const double mark : y.marks()) {
        picture.line("grid", {frame.left, y.at(mark)}, {frame.right, y.at(mark)});
        picture.text({frame.left - 6, y.at(mark) + 4}, "end", short_number(mark));
    }
    picture.line("axis", {frame.left, frame.top}, {frame.left, frame.bottom});
    picture.line("axis", {frame.left, frame.bottom}, {frame.right, frame.bottom});
    picture.add(
        "<text x=\"{0:.1f}\" y=\"{1:.1f}\" text-anchor=\"middle\" "
        "transform=\"rotate(-90 {0:.1f} {1:.1f})\">{2}</text>\n",
        16.0, (frame.top + frame.bottom) / 2, escaped(label));
}

void draw_x_axis(Picture& picture, const Frame& frame, const Projection& x,
                 const std::string& label) {
    for (const double mark : x.marks()) {
        picture.line("grid", {x.at(mark), frame.top}, {x.at(mark), frame.bottom});
        picture.text({x.at(mark), frame.bottom + kLine}, "middle", short_number(mark));
    }
    picture.text({(frame.left + frame.right) / 2, frame.bottom + 2.2 * kLine}, "middle", label);
}

std::string_view colour(std::size_t i) {
    return kColours[i % kColours.size()];
}

std::string dashes(std::size_t i) {
    return fmt::format("stroke=\"{}\" stroke-dasharray=\"{}\"", colour(i),
                       kDashes[(i + i / kColours.size()) % kDashes.size()]);
}

bool drawable(const LineChart& chart, Point point) {
    const auto fine = [](const Axis& axis, double value) {
        return std::isfinite(value) && (axis.scale == Scale::linear || value > 0);
    };
    return fine(chart.x, point.x) && fine(chart.y, point.y);
}

struct Range {
    double low = 0, high = 0;
    bool any = false;
    void add(double value) {
        low = any ? std::min(low, value) : value;
        high = any ? std::max(high, value) : value;
        any = true;
    }
};

Projection projection(const Axis& axis, Range range, int wanted) {
    if (!range.any) range = {1, 1, true};
    if (axis.scale == Scale::linear) range.low = std::min(range.low, 0.0);
    return {axis.scale, ticks(axis.scale, range.low, range.high, wanted)};
}

void draw_curve(Picture& picture, const Curve& curve, std::size_t number,
                const std::vector<Point>& pixels) {
    if (curve.style == Curve::Style::dots || pixels.size() == 1) {
        for (const Point point : pixels)
            picture.add("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"{}\"/>\n", point.x,
                        point.y, colour(number));
        return;
    }
    picture.add("<polyline fill=\"none\" stroke-width=\"2\" {} points=\"", dashes(number));
    std::optional<double> height;
    for (const Point point : pixels) {
        if (curve.style == Curve::Style::steps && height)
            picture.add("{:.1f},{:.1f} ", point.x, *height);
        picture.add("{:.1f},{:.1f} ", point.x, point.y);
        height = point.y;
    }
    picture.add("\"/>\n");
}

void draw_curve_legend(Picture& picture, const LineChart& chart, const Frame& frame) {
    double y = frame.top + 8;
    for (std::size_t i = 0; i < chart.curves.size(); ++i) {
        const Curve& curve = chart.curves[i];
        if (curve.name.empty()) continue;
        const double x = frame.right + 16;
        if (curve.style == Curve::Style::dots)
            picture.add("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"{}\"/>\n", x + 14, y,
                        colour(i));
        else
            picture.add("<path d=\"M{:.1f} {:.1f}h28\" stroke-width=\"2\" {}/>\n", x, y, dashes(i));
        picture.text({x + 36, y + 4}, "start", curve.name);
        y += kLine;
    }
}

double sum(const std::vector<double>& parts) {
    double total = 0;
    for (const double part : parts) total += part;
    return total;
}

Projection bar_projection(const BarChart& chart) {
    Range range;
    for (const BarChart::Group& group : chart.groups)
        for (const auto& bar : group.bars)
            if (const double total = sum(bar); chart.y.scale == Scale::linear || total > 0)
                range.add(total);
    if (chart.y.scale == Scale::linear) return projection(chart.y, range, 6);
    // A bar of the least value must be seen as well: the axis begins a decade further down.
    if (range.any) range.low = std::pow(10, std::ceil(std::log10(range.low)) - 1);
    return projection(chart.y, range, 6);
}

/// One bar with its parts and, above it, its sum.
void draw_bar(Picture& picture, const BarChart& chart, std::size_t series, Point corner,
              const Projection& y, const std::vector<double>& parts, double width) {
    const double total = sum(parts);
    const double floor = corner.y;
    if (chart.y.scale == Scale::logarithmic) {
        const double top = total > 0 ? y.at(total) : floor;
        picture.add(
            "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\"/>\n",
            corner.x, top, width, floor - top, colour(series));
        picture.text({corner.x + width / 2, top - 4}, "middle", short_number(total));
        return;
    }
    double below = 0;
    for (std::size_t part = 0; part < parts.size(); ++part) {
        const double bottom = y.at(below);
        below += parts[part];
        picture.add(
            "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\" "
            "fill-opacity=\"{}\"/>\n",
            corner.x, y.at(below), width, bottom - y.at(below), colour(series),
            kOpacities[part % kOpacities.size()]);
    }
    picture.text({corner.x + width / 2, y.at(below) - 4}, "middle", short_number(total));
}

void draw_bar_legend(Picture& picture, const BarChart& chart, const Frame& frame) {
    const double x = frame.right + 16;
    double y = frame.top;
    const auto entry = [&](std::string_view fill, double opacity, const std::string& name) {
        picture.add(
            "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"12\" height=\"12\" fill=\"{}\" "
            "fill-opacity=\"{}\"/>\n",
            x, y, fill, opacity);
        picture.text({x + 18, y + 10}, "start", name);
        y += kLine;
    };
    for (std::size_t i = 0; i < chart.series.size(); ++i) entry(colour(i), 1, chart.series[i]);
    if (chart.y.scale == Scale::logarithmic || chart.parts.size() < 2) return;
    y += kLine / 2;
    for (std::size_t i = chart.parts.size(); i-- > 0;)
        entry("#888888", kOpacities[i % kOpacities.size()], chart.parts[i]);
}

/// Of 10^n, n is not negative for whole numbers; 1, 2 and 5 times a power of ten.
std::vector<double> log_ticks(double low, double high) {
    const int first = static_cast<int>(std::floor(std::log10(low) + 1e-9));
    const int last = std::max(first + 1, static_cast<int>(std::ceil(std::log10(high) - 1e-9)));
    const int stride = 1 + (last - first) / 10;
    std::vector<double> marks;
    for (int decade = first; decade < last; decade += stride) {
        marks.push_back(std::pow(10, decade));
        if (last - first > 3) continue;
        for (const double between : {2.0, 5.0}) marks.push_back(between * std::pow(10, decade));
    }
    const int end = first + (last - first + stride - 1) / stride * stride;
    marks.push_back(std::pow(10, end));
    return marks;
}

}  // namespace

std::string short_number(double value, int digits) {
    constexpr std::array<std::string_view, 7> units{"", "k", "M", "G", "T", "P", "E"};
    std::size_t unit = 0;
    double scaled = value;
    // Rounded first, so that 999,999 is 1M and not 1000k.
    const auto rounded = [digits](double v) {
        return std::strtod(fmt::format("{:.{}e}", v, digits - 1).c_str(), nullptr);
    };
    while (std::abs(rounded(scaled)) >= 1000 && unit + 1 < units.size()) {
        scaled /= 1000;
        ++unit;
    }
    return fmt::format("{:.{}g}{}", rounded(scaled), std::max(digits, 3), units[unit]);
}

std::vector<double> ticks(Scale scale, double low, double high, int wanted) {
    if (scale == Scale::logarithmic) return log_ticks(low, high);
    if (high <= low) high = low + 1;
    const double rough = (high - low) / std::max(wanted, 1);
    const double power = std::pow(10, std::floor(std::log10(rough)));
    double step = 10 * power;
    for (const double factor : {5.0, 2.0, 1.0})
        if (factor * power >= rough * (1 - 1e-9)) step = factor * power;
    std::vector<double> marks;
    const double first = std::floor(low / step + 1e-9);
    for (double i = first;; ++i) {
        marks.push_back(i * step);
        if (i * step >= high - step * 1e-9) return marks;
    }
}

std::string draw(const LineChart& chart) {
    Range x_range;
    Range y_range;
    std::vector<std::string> names;
    for (const Curve& curve : chart.curves) {
        names.push_back(curve.name);
        for (const Point point : curve.points) {
            if (!drawable(chart, point)) continue;
            x_range.add(point.x);
            y_range.add(point.y);
        }
    }
    Projection x = projection(chart.x, x_range, 8);
    Projection y = projection(chart.y, y_range, 6);
    Frame frame;
    frame.left = left_margin(y);
    frame.right = frame.left + 520;
    x.between(frame.left, frame.right);
    y.between(frame.bottom, frame.top);
    const double width = frame.right + 70 + widest(names);
    Picture picture(std::max(width, 24 + 9 * text_width(chart.title) / kCharacter),
                    frame.bottom + 3 * kLine, chart.title);
    draw_y_axis(picture, frame, y, chart.y.label);
    draw_x_axis(picture, frame, x, chart.x.label);
    for (std::size_t i = 0; i < chart.curves.size(); ++i) {
        std::vector<Point> pixels;
        for (const Point point : chart.curves[i].points)
            if (drawable(chart, point)) pixels.push_back({x.at(point.x), y.at(point.y)});
        if (!pixels.empty()) draw_curve(picture, chart.curves[i], i, pixels);
    }
    draw_curve_legend(picture, chart, frame);
    return std::move(picture).finished();
}

std::string draw(const BarChart& chart) {
    Projection y = bar_projection(chart);
    Frame frame;
    frame.left = left_margin(y);
    const double bar_width = 44;  // room for "1.23M" above it
    std::vector<double> widths;
    frame.right = frame.left + 16;
    for (const BarChart::Group& group : chart.groups) {
        const double bars = bar_width * static_cast<double>(group.bars.size());
        widths.push_back(std::max(bars, text_width(group.name)) + 24);
        frame.right += widths.back();
    }
    y.between(frame.bottom, frame.top);
    std::vector<std::string> names = chart.series;
    names.insert(names.end(), chart.parts.begin(), chart.parts.end());
    const double width = frame.right + 50 + widest(names);
    Picture picture(std::max(width, 24 + 9 * text_width(chart.title) / kCharacter),
                    frame.bottom + 2 * kLine, chart.title);
    draw_y_axis(picture, frame, y, chart.y.label);
    double x = frame.left + 16;
    for (std::size_t g = 0; g < chart.groups.size(); ++g) {
        const BarChart::Group& group = chart.groups[g];
        const double bars = bar_width * static_cast<double>(group.bars.size());
        double corner = x + (widths[g] - 24 - bars) / 2;
        for (std::size_t series = 0; series < group.bars.size(); ++series, corner += bar_width)
            if (!group.bars[series].empty())
                draw_bar(picture, chart, series, {corner, frame.bottom}, y, group.bars[series],
                         bar_width - 4);
        picture.text({x + (widths[g] - 24) / 2, frame.bottom + kLine}, "middle", group.name);
        x += widths[g];
    }
    draw_bar_legend(picture, chart, frame);
    return std::move(picture).finished();
}

}  // namespace tools
