// A dot's operand of which a mask leaves some zero.
#pragma once

#include "ir/module/module.h"

namespace sinter {

// The select that an operand of a dot is, select(mask, value, 0); nullptr where it is none.
const Instruction* masked_operand(const Instruction& dot, size_t side = 0);

// Whether the left operand is one array masked for each segment of the sums, dimensions that are contracted together:
// select(mask, broadcast(array), 0). Blocks read what counts alone (MaskedSegments of
// passes/stages/products/contract.h).
bool is_masked_in_segments(const Instruction& dot);
inline constexpr int64_t kMostSegments = 256;

// Whether this operand is one array in all batches, of which each has a mask of its own: select(mask, broadcast(array),
// 0). Blocks read the terms that count for their batch (MaskedTerms there).
bool is_masked_by_batch(const Instruction& dot, size_t side);

}  // namespace sinter
