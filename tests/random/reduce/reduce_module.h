// Making a module that shows a problem smaller, as long as it still shows it.
//
// Tried, largest steps first: fewer results; an instruction of the entry becomes a parameter, with the value that it
// had as input; an instruction becomes one of its operands, an earlier value of its type, or a constant; graph passes
// that take structure away (calls, carries that are not needed). What is dead then goes, parameters too.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "ir/module/module.h"

namespace sinter {

struct ModuleCase {
  std::unique_ptr<Module> module;
  std::vector<Literal> inputs;  // tuples flattened
  ModuleCase clone() const { return {module->clone(), inputs}; }
};

// True if the case, whose module is valid, shows the problem.
using ShowsProblem = std::function<bool(const ModuleCase&)>;

// The smallest case found, after which no step keeps the problem, or after `most_tries` calls of `shows`.
ModuleCase reduce_module(const ModuleCase& original, const ShowsProblem& shows, int most_tries = 3000);

// Instructions in all computations.
int64_t instruction_count(const Module& module);

}  // namespace sinter
