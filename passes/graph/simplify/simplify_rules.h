// The rules of the simplify pass, by topic. A rule looks at one instruction and returns what stands for it from now
// on: nullptr if it has nothing to say, the instruction itself if it rewrote it in place, or another value of the same
// type that stands before it. It may insert instructions before the one it looks at, and change those that only it
// uses, up to kReach operands away; no others.
//
// Every rule keeps results bit for bit, but for the payload of a NaN.
#pragma once

#include "ir/module/module.h"

namespace sinter {

inline constexpr int kReach = 4;

// Identities of numbers: x + 0, x * 1, negate(negate(x)), maximum(x, -inf), ...
Instruction* simplify_arithmetic(Instruction& instruction);
// Predicates and bits: and, or, xor, not, select, compare.
Instruction* simplify_logic(Instruction& instruction);
// Of those, a comparison of floats in total order.
Instruction* simplify_total_order(Instruction& compare);
// Conversions, bit casts, complex numbers taken apart.
Instruction* simplify_conversion(Instruction& instruction);
// Reshape, broadcast, transpose and copies, alone and in pairs.
Instruction* simplify_reshaping(Instruction& instruction);
// Slice, pad, concatenate, reverse, iota.
Instruction* simplify_slicing(Instruction& instruction);
// Dynamic slices, gathers and scatters of one window; reductions over nothing.
Instruction* simplify_window(Instruction& instruction);
// Of those, gathers of one window, or of rows that follow one another; updates added to such rows.
Instruction* simplify_gather(Instruction& gather);
Instruction* simplify_scatter(Instruction& scatter);
// Of those, sums along what one element alone is not zero of.
Instruction* simplify_sum_of_one(Instruction& reduce);
// Of those, whether any term of a product of truths holds, and how many do.
Instruction* simplify_boolean_product(Instruction& reduce);
// Of those, reductions of what is reduced along some of their dimensions anyway, and sums of parts.
Instruction* simplify_reduced_part(Instruction& reduce);

}  // namespace sinter
