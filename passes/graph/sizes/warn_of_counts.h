// Numbers that a text has of the largest size.
#pragma once

#include "passes/graph/sizes/size_flow.h"

namespace sinter {

// A warning for each quotient of what is reduced along a dimension whose size the run says, and the number of elements
// that there are at its bound: a mean that was written out for one size.
void warn_of_counts(const SizeFlow& flow, Diagnostics& diagnostics);

}  // namespace sinter
