// What a kernel is mostly about: it is named after that, and its title begins with it.
#pragma once

#include "ir/module/module.h"

namespace sinter {

// 0 for what reads many elements for each, many times over (a product, a sort), 1 for what reads many (a reduction), up
// to 5 for what only chooses, compares or converts.
int lightness(const Instruction& instruction);

}  // namespace sinter
