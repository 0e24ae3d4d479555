// What a kernel is mostly about: it is named after that, and its title begins with it.
#pragma once

#include "ir/module/module.h"
#include "ir/ops/op_table.h"

namespace sinter {

// What the op table says, of logic by its element type; of an op about which it says nothing: plain. Device functions
// are functions.
Lightness lightness(const Instruction& instruction);

}  // namespace sinter
