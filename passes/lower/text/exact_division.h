// Division by a constant in two instructions instead of some ten: x / c = x * high + x * low, to the last bit
// (templates/device/divisor.cuh).
#pragma once

#include "passes/demand/demand.h"

namespace sinter {

// Whether that divides every f32 that is not tiny, of magnitude c * 2^-100 or more, as IEEE 754 does. False for powers
// of two, which are divided by in one instruction anyway, and for constants of extreme size.
bool has_exact_divisor(float divisor);

// Whether the quotient `division`, of f32 by a constant, is right without a check for tiny dividends: there are none,
// or all that reads it adds it to something so much larger that only its sign could matter, and not that.
bool needs_no_check(const DemandGraph& graph, NodeId division);

}  // namespace sinter
