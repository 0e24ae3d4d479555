// Random programs. Those of the first four compile to one kernel each: loops of thread scope, and graphs of reductions
// over rows, indexed reads and updates, conditionals.
#pragma once

#include <cstdint>

#include "tests/random/operations/scribe.h"

namespace sinter {

// A while loop with two to eight carries of mixed rank: index maps and reductions of small dimensions, tables read and
// stacks written at the counter, inner loops, integer mixing.
RandomProgram generate_loop(uint64_t seed, bool exact);

// One to six reductions over the rows of an array, in chains and side by side, and arithmetic between them.
RandomProgram generate_rows(uint64_t seed, bool exact);

// A scatter or gather of random windows, or a chain of dynamic slices, with indices in and out of range.
RandomProgram generate_indexed(uint64_t seed, bool exact);

// A conditional of two to four arms, or a loop with one in each step.
RandomProgram generate_branches(uint64_t seed, bool exact);

// A loop whose steps multiply matrices: of what they walk along, carry, record and add up. Exact.
RandomProgram generate_recurrent(uint64_t seed, bool exact);

}  // namespace sinter
