// What one step of a loop makes of what the loop carries:
//
//   loop t in [0, 40), carrying x, v:
//     next_v = v - x * 0.1
//     next_x = x + next_v * 0.1
//
// and while what holds it goes on: `rr > 1e-10 and n < 50`.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ir/kernel/kernel.h"
#include "passes/lower/describe/formulas.h"

namespace sinter {

struct LoopFormulas {
  std::vector<Formula> around = {};  // what the lines read of values around the loop that the text has no name for
  std::vector<Formula> lines;
  std::string condition;                   // of a loop whose steps are not counted; empty where it is no one line
  std::vector<std::string> left_out = {};  // names that the lines read, of variables of the text
};

// `carries`: the variables that elements of the state have, by the element. `names` and `taken` as formulas() has them,
// of values around the loop too. nullopt if there would be more than `most` lines, or something has no formula.
std::optional<LoopFormulas> loop_formulas(const Instruction& loop, const std::map<int64_t, std::string>& carries,
                                          FormulaNames names, std::set<std::string> taken, const StartNames& starts,
                                          size_t most);

// The variables that elements of a loop's state have in a kernel's text, by the element.
std::map<int64_t, std::string> carry_variables(const Kernel& kernel, const Instruction& loop);

}  // namespace sinter
