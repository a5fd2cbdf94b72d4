// Words compared letter by letter.
// Does not know what they mean.
// See nearest.hpp.
#include "reference/nearest.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace reference {

namespace {

constexpr std::size_t kMostBytes = 100;

/// Levenshtein distance: how many letters to change, add or drop.
std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
        }
    }
    return row[b.size()];
}

}  // namespace

std::string_view nearest(std::string_view word, std::span<const std::string_view> words) {
    word = word.substr(0, kMostBytes);
    const auto closer = [word](std::string_view a, std::string_view b) {
        return distance(word, a) < distance(word, b);
    };
    const auto found = std::min_element(words.begin(), words.end(), closer);
    return found == words.end() ? std::string_view() : *found;
}

}  // namespace reference
