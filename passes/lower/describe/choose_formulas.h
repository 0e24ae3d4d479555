// Which formulas a header shows of a kernel that has more than a reader takes.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "passes/lower/describe/formulas.h"

namespace sinter {

// Of more lines than a reader takes: those of `wanted` and, if these are no more than `most`, of products and
// reductions, and of what these read that the kernel's text has no name for; and up to `most` with what they read
// besides, if that leaves few names to the text.
std::vector<Formula> formulas_alone(const std::vector<Formula>& lines, const std::set<std::string>& wanted,
                                    const std::set<std::string>& in_text, size_t most);

// The names, and numbers, that a formula is made of.
std::vector<std::string> words_of(const std::string& text);

// Names that the shown lines read and whose own are not shown: they are the text's, in its order.
std::vector<std::string> names_left_out(const std::vector<Formula>& shown, const std::vector<Formula>& all);

}  // namespace sinter
