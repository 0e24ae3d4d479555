// Variables that nothing reads: what the text has folded away (`x && false`) or reads in other ways (as vectors) leaves
// them behind.
#pragma once

#include <set>

#include "ir/kernel/kernel.h"

namespace sinter {

// Takes constants, and those of `carries` of loops, that the statements do not read, but to make their next value, out
// of them. Values of calls in which threads wait stay.
void drop_unread(std::set<const Variable*> carries, Block* block);

}  // namespace sinter
