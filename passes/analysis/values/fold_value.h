// Carrying out an operation on constants: in the pass fold_constants, and after it, where a loop is unrolled.
#pragma once

#include <optional>
#include <vector>

#include "ir/module/module.h"

namespace sinter {

// Whether the operation's f64 and complex results are exact or correctly rounded everywhere.
bool is_portable(const Instruction& instruction);

// The instruction, of rank 0, on these scalars.
std::optional<Literal> evaluate_scalar(const Instruction& instruction, const std::vector<Literal>& operands);

// An elementwise instruction on these scalars, if every machine and every emitted copy of it computes the same:
// exact and correctly rounded operations. nullopt for others, and for a product that is rounded with a sum.
std::optional<Literal> fold_exactly(const Instruction& instruction, const std::vector<Literal>& operands);
// The sum that contracts with the product a * b (contraction.h), of scalars: in one rounding.
Literal fold_contraction(const Instruction& sum, const Literal& a, const Literal& b, const Literal& c);

}  // namespace sinter
