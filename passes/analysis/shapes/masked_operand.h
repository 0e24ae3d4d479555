// A dot's left operand of which a mask leaves some zero.
#pragma once

#include "ir/module/module.h"

namespace sinter {

// The select that the left operand of a dot is, select(mask, value, 0); nullptr where it is none.
const Instruction* masked_operand(const Instruction& dot);

}  // namespace sinter
