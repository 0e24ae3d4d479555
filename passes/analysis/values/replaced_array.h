// Arrays that an update takes the place of: donated parameters whose result is the parameter updated, and carries of
// loops that each step updates. What is updated there need not be copied.
#pragma once

#include "ir/module/module.h"

namespace sinter {

// What a scatter or dynamic-update-slice puts into the array that it updates.
inline const Instruction& update_of(const Instruction& update) {
  return *update.operand(update.opcode == Opcode::kScatter ? 2 : 1);
}

// True if `update`, a scatter or a dynamic-update-slice, is all that becomes of the array that it updates, or one of
// several one after the other: the result that takes a donated parameter's memory, or a large carry's next value.
// Whether something reads the array too late is not looked at.
bool takes_place_of_operand(const Instruction& update);

}  // namespace sinter
