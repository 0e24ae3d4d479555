// Values with tuples inside tuples, and the arrays they hold.
#pragma once

#include <vector>

#include "ir/module/module.h"

namespace sinter {

// The leaves of a value, left to right, read before `position` (nullptr: at the end).
std::vector<Instruction*> leaves_of(Computation& computation, Instruction* position, Instruction* value);

// The leaves of a shape, left to right.
std::vector<Shape> leaf_shapes(const Shape& shape);

// A value of this shape, built before `position` from its leaves, left to right.
Instruction* build_nested(Computation& computation, Instruction* position, const Shape& shape,
                          const std::vector<Instruction*>& leaves);

// Gives `value` the flat shape, which has its leaves and perhaps more behind them; who read it as it was reads what is
// built of them right after it. Returns the elements of the flat tuple.
std::vector<Instruction*> flatten_value(Instruction& value, const Shape& flat);

}  // namespace sinter
