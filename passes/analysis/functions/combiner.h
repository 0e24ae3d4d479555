// Combiners of reductions, scatters and windows that are one operation.
#pragma once

#include <optional>
#include <vector>

#include "ir/module/module.h"

namespace sinter {

// The opcode of a combiner that is one commutative operation of its two parameters, if it is: add, multiply, maximum,
// minimum, and, or, xor.
std::optional<Opcode> simple_combiner(const Computation& combiner);

// The same of a combiner that gives a tuple of so many values, (a_0, a_1, ..., b_0, b_1, ...) -> (a_0 ⊕ b_0, a_1 ⊗ b_1,
// ...); of one value, of that combiner itself. Empty if it is none.
std::vector<Opcode> simple_combiners(const Computation& combiner, size_t count);

// What sums and other reductions of a type are made in: f32 for narrower floats, so that they are rounded once.
inline DType sum_type(DType dtype) { return is_float(dtype) && dtype_bits(dtype) < 32 ? DType::kF32 : dtype; }

// What such an operation combines with any value of the type to that value, to the bit: -0 where floats are added, as 0
// would change the sign of a zero. nullopt for types without it: no infinity, complex numbers.
std::optional<Literal> neutral_value(Opcode operation, DType dtype);

// What a part of a reduction begins with that begins with `initial`. Sums do with 0, as people write it, where the
// whole sum does: no sum of it is -0. Complex sums can only begin so, complex products with 1.
std::optional<Literal> part_beginning(Opcode combiner, DType dtype, const Instruction& initial);

// What a reduction begins with, where that changes nothing.
std::optional<Literal> neutral_beginning(Opcode combiner, DType dtype, const Instruction& initial);

}  // namespace sinter
