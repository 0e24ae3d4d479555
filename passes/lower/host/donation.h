// Donated inputs: the caller may give one pointer for an input and the output that takes its memory.
#pragma once

#include "passes/lower/host/host_plan.h"

namespace sinter {

// Makes the program right whether a donated pair is one array or two: an output that is written while its input is
// still to be read is computed in the arena and copied last; kernels that read and write the pair element by element
// take it as pointers that may be one.
void settle_donations(Program* program);

}  // namespace sinter
