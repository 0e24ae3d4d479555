// Carrying out an operation on constants, for those who meet them after the pass of that name: where a loop is
// unrolled.
#pragma once

#include <optional>
#include <vector>

#include "ir/module.h"

namespace sinter {

// An elementwise instruction on these scalars, if every machine and every emitted copy of it computes the same:
// exact and correctly rounded operations. nullopt for others, and for a product that is rounded with a sum.
std::optional<Literal> fold_exactly(const Instruction& instruction, const std::vector<Literal>& operands);
// The sum that contracts with the product a * b (contraction.h), of scalars: in one rounding.
Literal fold_contraction(const Instruction& sum, const Literal& a, const Literal& b, const Literal& c);

}  // namespace sinter
