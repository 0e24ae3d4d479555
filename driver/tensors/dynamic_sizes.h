// Arrays whose size is known only when the program runs (`f32[<=1024]`, `f32[?]`).
#pragma once

#include "ir/module/module.h"
#include "ir/support/diagnostics.h"

namespace sinter {

// One error for each instruction that brings such an array into the program: a parameter of the entry, a
// set-dimension-size; true if there is none. What such arrays are handed on to is not reported again.
bool refuse_dynamic_sizes(const Module& module, Diagnostics& diagnostics);

}  // namespace sinter
