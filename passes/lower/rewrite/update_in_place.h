// A device function that mixes bits in rounds reads as its author wrote it when its arguments are updated in place:
// x0 += x1; x1 = x0 ^ rotate_left(x1, 13); instead of a new name for each value.
#pragma once

#include <vector>

#include "ir/kernel/kernel.h"

namespace sinter {

// Where a statement `const T v = e` of a straight-line function is the last to read one of `mutables`, that variable
// takes the value instead of a new one. Changes nothing unless every value is an unsigned integer, whose name would say
// no more than its operation, and most of them can be had this way. `returned` is the function's result.
// True if anything changed.
bool update_in_place(Kernel& kernel, const std::vector<Variable*>& mutables, Block* block, const Expr** returned);

}  // namespace sinter
