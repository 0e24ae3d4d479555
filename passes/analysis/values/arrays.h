// Arrays as kernels see them: through tuples and optimisation barriers.
#pragma once

#include <set>
#include <vector>

#include "ir/module/module.h"

namespace sinter {

// Parameters, constants, tuples and the like: no kernel computes them.
bool is_plumbing(const Instruction& instruction);

// The arrays an instruction reads, seen through tuples and optimisation barriers (a while: its initial state).
std::vector<const Instruction*> array_operands(const Instruction& instruction);
void add_array_operands(const Instruction& instruction, std::vector<const Instruction*>* arrays);
// The instruction that makes an array: for an element of a tuple, the one that gives the tuple.
const Instruction* maker_of(const Instruction* array);
// The arrays that `values` read and do not make; no constants.
std::set<const Instruction*> arrays_read(const std::set<const Instruction*>& values);
// The array a value is, seen through get-tuple-element of tuple and optimisation barriers.
const Instruction* array_value(const Instruction* value);

}  // namespace sinter
