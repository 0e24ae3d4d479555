// Combiners of reductions, scatters and windows that are one operation.
#pragma once

#include <optional>

#include "ir/module.h"

namespace sinter {

// The opcode of a combiner that is one commutative operation of its two parameters, if it is: add, multiply, maximum,
// minimum, and, or, xor.
std::optional<Opcode> simple_combiner(const Computation& combiner);

// What such an operation combines with any value of the type to that value, to the bit: -0 where floats are added, as 0
// would change the sign of a zero. nullopt for types without it: no infinity, complex numbers.
std::optional<Literal> neutral_value(Opcode operation, DType dtype);

}  // namespace sinter
