// Small pieces of text: sizes in words, broken lists.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sinter {

// Lines of emitted code are at most this long where a break is possible.
constexpr int kLineWidth = 100;

// "16.4 MB"; decimal units, three digits.
std::string bytes_text(int64_t bytes);

// `opening` + the items with ", " between them + `closing`, broken at 100 columns so that continued lines stand under
// the first item, as clang-format aligns them.
std::string wrap_list(const std::string& opening, const std::vector<std::string>& items, const std::string& closing);

// Pads the lines so that their `//` comments stand in one column.
void align_comments(std::vector<std::string>& lines);

}  // namespace sinter
