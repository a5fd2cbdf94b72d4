// `factors` and `permutation` of a directive, in all their spellings.
// Does not order loops: timeloop_mapping.cpp does.
// See timeloop_parts.hpp.
#include "reference/timeloop_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

namespace reference::timeloop {

namespace {

bool is_letter(char c) {
    return std::isalpha(static_cast<unsigned char>(c)) != 0;
}
bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
bool is_name(char c) {
    return is_letter(c) || is_digit(c) || c == '_';
}

std::optional<std::size_t> dimension_named(const Workload& workload, std::string_view name) {
    for (std::size_t i = 0; i < workload.dimensions.size(); ++i)
        if (workload.dimensions[i].name == name) return i;
    return std::nullopt;
}

void no_dimension(const Place& place, const Workload& workload, std::string_view name) {
    std::string names;
    for (const Dimension& one : workload.dimensions) names += (names.empty() ? "" : " ") + one.name;
    place.mistake(fmt::format("there is no dimension {}; needs one of {}", quoted(name), names));
}

/// Reads `M=2 N=4,3 K8`: a name, then perhaps '=', a bound, and perhaps a comma with the last bound
/// right behind it. Anything may stand between factors that is white space or a comma.
class FactorText {
  public:
    FactorText(const Place& place, std::string_view text, const Workload& workload, bool exact_only,
               Factors& out)
        : place_(place),
          rest_(text.substr(0, text.find('#'))),
          workload_(workload),
          exact_only_(exact_only),
          out_(out) {}

    void read() {
        for (;;) {
            while (!rest_.empty() && (is_space() || rest_.front() == ',' || rest_.front() == ';'))
                rest_.remove_prefix(1);
            if (rest_.empty() || !factor()) return;
        }
    }

  private:
    [[nodiscard]] bool is_space() const {
        return std::isspace(static_cast<unsigned char>(rest_.front())) != 0;
    }
    void skip_spaces() {
        while (!rest_.empty() && is_space()) rest_.remove_prefix(1);
    }
    template <class F>
    std::string_view take_while(F is) {
        const auto end = std::find_if_not(rest_.begin(), rest_.end(), is);
        const auto word = rest_.substr(0, static_cast<std::size_t>(end - rest_.begin()));
        rest_.remove_prefix(word.size());
        return word;
    }

    bool wrong() {
        place_.mistake(fmt::format("{} is not right here; needs factors like M=2 N=4,3",
                                   quoted(rest_.empty() ? place_.raw() : rest_)));
        return false;
    }

    /// `K1=4` names K1, `K14` is K by 14.
    std::string_view name() {
        const std::string_view before = rest_;
        const std::string_view word = take_while(is_name);
        skip_spaces();
        if (!rest_.empty() &&
            (rest_.front() == '=' || rest_.front() == '<' || rest_.front() == '>'))
            return word;
        rest_ = before;
        return take_while(is_letter);
    }

    bool bound(std::int64_t& value) {
        const std::string_view digits = take_while(is_digit);
        if (digits.empty()) return false;
        const auto [end, code] =
            std::from_chars(digits.data(), digits.data() + digits.size(), value);
        return code == std::errc() && end == digits.data() + digits.size();
    }

    bool factor() {
        const std::string_view before = rest_;
        const std::string_view word = name();
        skip_spaces();
        const std::string_view sign =
            take_while([](char c) { return c == '=' || c == '<' || c == '>'; });
        skip_spaces();
        Loop loop;
        const bool read = !word.empty() && bound(loop.bound);
        bool last = false;
        if (read && rest_.size() > 1 && rest_[0] == ',' && is_digit(rest_[1])) {
            rest_.remove_prefix(1);
            last = bound(loop.last_bound);
            if (!last) return wrong();
        }
        if (!read || (!rest_.empty() && is_name(rest_.front()) && !is_letter(rest_.front()))) {
            rest_ = before;
            return wrong();
        }
        if (sign == "<=" || sign == ">=" || sign == "<" || sign == ">") {
            if (exact_only_)
                place_.mistake(fmt::format("{}{}{} is a constraint; a mapping needs {}=...", word,
                                           sign, loop.bound, word));
            return true;
        }
        store(word, loop, last);
        return true;
    }

    void store(std::string_view word, Loop loop, bool last) {
        const auto dimension = dimension_named(workload_, word);
        if (!dimension) return no_dimension(place_, workload_, word);
        loop.dimension = static_cast<DimensionId>(*dimension);
        // By Timeloop's reader 0 is the size of the whole dimension, not what others leave of it.
        if (loop.bound == 0) loop.bound = workload_.dimensions[*dimension].size;
        if (last && (loop.last_bound < 1 || loop.last_bound > loop.bound))
            place_.mistake(fmt::format("{}={},{} needs a last bound from 1 to {}", word, loop.bound,
                                       loop.last_bound, loop.bound));
        if (loop.last_bound == loop.bound) loop.last_bound = 0;
        out_[*dimension] = loop;
    }

    const Place& place_;
    std::string_view rest_;
    const Workload& workload_;
    bool exact_only_;
    Factors& out_;
};

/// Names apart by blanks or commas, or single letters one behind the other.
void read_names(const Place& place, std::string_view text, const Workload& workload,
                std::vector<std::size_t>& out) {
    const auto separates = [](char c) {
        return c == ',' || std::isspace(static_cast<unsigned char>(c)) != 0;
    };
    for (std::size_t begin = 0; begin < text.size();) {
        if (separates(text[begin])) {
            ++begin;
            continue;
        }
        std::size_t end = begin;
        while (end < text.size() && !separates(text[end])) ++end;
        const std::string_view word = text.substr(begin, end - begin);
        begin = end;
        if (const auto whole = dimension_named(workload, word)) {
            out.push_back(*whole);
            continue;
        }
        for (std::size_t i = 0; i < word.size(); ++i) {
            const auto letter = dimension_named(workload, word.substr(i, 1));
            if (!letter)
                return no_dimension(place, workload, word.size() < 8 ? word : word.substr(i, 1));
            out.push_back(*letter);
        }
    }
}

}  // namespace

Factors read_factors(const Place& place, const Workload& workload, bool exact_only) {
    Factors out(workload.dimensions.size());
    const auto read = [&](const Place& at, std::string_view text) {
        FactorText(at, text, workload, exact_only, out).read();
    };
    const auto read_map = [&](const Place& map) {
        for (std::size_t i = 0; i < map.size(); ++i)
            read(map.item(i), map.keys()[i] + "=" + map.item(i).text("a bound"));
    };
    if (!place.present()) return out;
    if (place.is_text()) {
        read(place, place.raw());
    } else if (place.is_map()) {
        read_map(place);
    } else {
        for (std::size_t i = 0; i < place.size(); ++i) {
            if (place.item(i).is_map())
                read_map(place.item(i));
            else
                read(place.item(i), place.item(i).text("a factor like M=2"));
        }
    }
    return out;
}

std::vector<std::size_t> read_permutation(const Place& place, const Workload& workload) {
    std::vector<std::size_t> out;
    for (const std::string& text : place.texts()) read_names(place, text, workload, out);
    for (std::size_t i = 0; i < out.size(); ++i) {
        if (std::count(out.begin(), out.end(), out[i]) == 1) continue;
        place.mistake(fmt::format("{} stands twice; needs each dimension once",
                                  quoted(workload.dimensions[out[i]].name)));
        out.clear();
    }
    return out;
}

}  // namespace reference::timeloop
