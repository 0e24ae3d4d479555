// What instructions compute, as lines of the comment that a stage writes itself (describe/formulas.h).
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "ir/module/module.h"

namespace sinter {

// A line each of `named`, which go by these names, as parameters do, and of what they read that has no name; `taken`:
// other names of the text. Empty where those are more than `most`.
std::vector<std::string> formula_text(const std::vector<const Instruction*>& computed,
                                      const std::set<const Instruction*>& named,
                                      const std::map<const Instruction*, std::string>& names,
                                      const std::set<std::string>& taken, size_t most);

}  // namespace sinter
