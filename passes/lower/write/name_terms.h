// Names for how many terms a thread's own reductions have: `for (int k = 0; k < kTerms; ++k)`.
#pragma once

#include "passes/lower/text/expressions.h"

namespace sinter {

// Gives the counts names and the kernel their constants: offsets, tests and loops that are written from here on have
// them. Counts of few terms stay numbers.
void name_terms(Expressions* expressions);

// Takes out the constants that nothing in `block` reads.
void drop_unread_terms(const Block& block, Expressions* expressions);

}  // namespace sinter
