// Which formulas a header shows of a kernel that has more than a reader takes.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "passes/lower/describe/formulas.h"

namespace sinter {

// Of more lines than a reader takes: those of `wanted`, and of what these read that the kernel's text has no name for.
std::vector<Formula> formulas_alone(const std::vector<Formula>& lines, const std::set<std::string>& wanted,
                                    const std::set<std::string>& in_text);

}  // namespace sinter
