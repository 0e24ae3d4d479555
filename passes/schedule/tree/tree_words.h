// Words of the tree's text, for those who write and read it.
#pragma once

#include <array>
#include <string_view>

namespace sinter {

// In the order of Scope.
inline constexpr std::array<std::string_view, 5> kScopeWords = {"thread", "block", "map", "grid", "host"};

// What a name may be made of without quotes.
inline bool is_word_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '-';
}

}  // namespace sinter
