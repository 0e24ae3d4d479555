// Carries of a host loop that each iteration writes a part of: `stack = dynamic-update-slice(stack, row, t)`. The
// kernel stores the update where it belongs and leaves the rest of the array as it is.
#pragma once

#include <set>

#include "ir/module.h"

namespace sinter {

// Of the body of `loop`: updates of a carry that become the same carry, where nothing else in the body reads what the
// carry held. Whoever reads the update's result reads the updated array, from memory.
std::set<const Instruction*> updates_in_place(const Instruction& loop);

}  // namespace sinter
