// The known word that a mistyped one is nearest to, for messages.
// Does not say whether it is near.
// Used by the readers of our documents and of Timeloop's.
#pragma once

#include <span>
#include <string_view>

namespace reference {

/// With the fewest letters to change, add or drop (Levenshtein); of equals the first. Empty if
/// there are no words. Only the first 100 bytes of `word` count.
std::string_view nearest(std::string_view word, std::span<const std::string_view> words);

}  // namespace reference
