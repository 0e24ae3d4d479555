// Lines of the comment that opens a kernel's file.
#pragma once

#include <string>
#include <vector>

#include "passes/lower/describe/formulas.h"

namespace sinter {

// Columns after "// ".
inline constexpr size_t kCommentWidth = 97;

// The text with blanks behind it, one at least.
std::string padded(const std::string& text, size_t size);

// What does not fit a line goes on under its beginning.
void add_entry(const std::string& opening, std::string text, std::vector<std::string>* lines);

// A line a formula, equals signs under one another.
void add_formulas(std::vector<Formula> list, const std::string& indent, std::vector<std::string>* lines);

}  // namespace sinter
