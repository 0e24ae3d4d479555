// Variables that nothing reads: carries of loops whose readers the text has folded away (`x && false`), indices of what
// is read in other ways.
#pragma once

#include <set>

#include "ir/kernel/kernel.h"

namespace sinter {

// Takes those of `candidates` that the statements do not read, but to make their next value, out of
// them, with what only such a value reads. Values of calls in which threads wait stay.
void drop_unread(std::set<const Variable*> candidates, Block* block);

}  // namespace sinter
