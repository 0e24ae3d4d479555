// Reading the text of a product's form, "mma 128x128x32, stages 4".
#pragma once

#include <charconv>
#include <cstdint>
#include <string_view>

namespace sinter {

// Takes `word` from the front of the text; false, and the text stays, where it begins otherwise.
inline bool take_word(std::string_view* text, std::string_view word) {
  if (!text->starts_with(word)) return false;
  text->remove_prefix(word.size());
  return true;
}

// The same of a number in [least, most].
inline bool take_number(std::string_view* text, int64_t* number, int64_t least, int64_t most) {
  const std::from_chars_result end = std::from_chars(text->data(), text->data() + text->size(), *number);
  if (end.ec != std::errc() || *number < least || *number > most) return false;
  text->remove_prefix(static_cast<size_t>(end.ptr - text->data()));
  return true;
}

inline bool is_power_of_two(int64_t number) { return (number & (number - 1)) == 0; }

}  // namespace sinter
