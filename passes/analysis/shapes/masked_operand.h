// A dot's operand of which a mask leaves some zero.
#pragma once

#include "ir/module/module.h"

namespace sinter {

// The select that an operand of a dot is, select(mask, value, 0); nullptr where it is none.
const Instruction* masked_operand(const Instruction& dot, size_t side = 0);

// Whether this operand is one array in all batches, of which each has its own mask: select(mask, broadcast(array), 0).
bool is_masked_by_batch(const Instruction& dot, size_t side);

}  // namespace sinter
