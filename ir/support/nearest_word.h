// "Did you mean": the word that a misspelt one was meant to be.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sinter {

// The candidate nearest to `word`, the first of several, or empty if none is near.
std::string nearest_word(std::string_view word, const std::vector<std::string_view>& candidates);

}  // namespace sinter
