// Carries of loops that nothing reads, since the text has folded their readers away (`x && false`).
#pragma once

#include <set>

#include "ir/kernel/kernel.h"

namespace sinter {

// Takes those of `candidates`, carries of loops, that the statements do not read, but to make their next value, out of
// them, with what only such a value reads. Values of calls in which threads wait stay.
void drop_unread(std::set<const Variable*> candidates, Block* block);

}  // namespace sinter
