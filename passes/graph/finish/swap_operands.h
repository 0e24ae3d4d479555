// A dot with its operands in the other order: [batch, n, m] where it gave [batch, m, n].
#pragma once

#include <cstdint>
#include <vector>

#include "ir/module/module.h"

namespace sinter {

void swap_operands(Instruction& dot);

// Which dimension of the dot with its operands swapped each of its own is.
std::vector<int64_t> dimensions_when_swapped(const Instruction& dot);

}  // namespace sinter
