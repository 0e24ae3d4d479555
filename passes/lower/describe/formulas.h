// What instructions compute, in HLO's terms and written as a person would:
//
//   %s1 = slice(u), slice={[0:30], [1:31]}
//   %s2 = slice(u), slice={[2:32], [1:31]}
//   %add = add(%s1, %s2)
//   %broadcast = broadcast(0.5), dimensions={}
//   ROOT %scatter = multiply(%add, %broadcast)        ==>  scatter = (u[0:30,1:31] + u[2:32,1:31]) * 0.5
//
// A value has a line if it is a result, if the kernel's text names it, if it is read more than once, or if it is more
// than an elementwise op; any other is spelled where it is read, as long as lines stay short. Time is linear in the
// instructions.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ir/module/module.h"

namespace sinter {

struct Formula {
  std::string name;
  std::string text;
  const Instruction* value = nullptr;  // nullptr: a place in an array
};

// Names that values have already: arrays that are read or written, variables of the kernel's text.
using FormulaNames = std::map<const Instruction*, std::string>;

// What formulas read that has no line, and no name that was given: the names that it goes by in them.
using UnknownNames = std::map<std::string, const Instruction*>;

// Variables that hold where in its operand an instruction reads or writes, limited to what lies inside it.
using StartNames = std::map<const Instruction*, std::set<std::string>>;

// `computed`: in text order. `results`: those that must have a line. Names for further lines are none of `taken`.
// nullopt if there would be more than `most` lines.
std::optional<std::vector<Formula>> formulas(const std::vector<const Instruction*>& computed,
                                             const std::set<const Instruction*>& results, FormulaNames names,
                                             std::set<std::string> taken, const StartNames& starts, size_t most,
                                             UnknownNames* unknown = nullptr);

// "multiply"; a call is known by what it calls.
std::string operation_name(const Instruction& instruction);

}  // namespace sinter
