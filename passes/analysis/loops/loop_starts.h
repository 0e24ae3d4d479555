// What a loop whose steps are kernels, of host or grid scope, begins with and need not be given: stacks that it
// overwrites whole before anything reads them, and zeros where it can clear the memory itself.
#pragma once

#include <cstddef>
#include <set>
#include <vector>

#include "ir/module/module.h"
#include "passes/analysis/loops/while_analysis.h"

namespace sinter {

// Whether a carry begins as whatever its memory holds: step t stores row t of a stack, `ys` of a scan. The loop runs
// a known number of times, at least once, and reads the carry nowhere.
bool overwrites_start(const Instruction& loop, const WhileInfo& info, size_t carry);

// The other carries that begin as zeros, of all bits, and change. A loop that is one launch clears their memory.
std::set<size_t> cleared_starts(const Instruction& loop);

// The arrays that the loop is to be given: its operands, without what such carries begin as. `one_launch`: it is of
// grid scope.
std::vector<const Instruction*> arrays_begun_with(const Instruction& loop, bool one_launch);

}  // namespace sinter
