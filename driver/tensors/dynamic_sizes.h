// Arrays whose size is known only when the program runs (`f32[<=1024]`, `f32[?]`).
#pragma once

#include "ir/module/module.h"
#include "ir/support/diagnostics.h"

namespace sinter {

// Verifies a module that has been parsed. Bounded dimensions become static ones and numbers of a run
// (bound_dimensions.h); unbounded ones are refused.
bool verify_sizes(Module& module, Diagnostics& diagnostics);

}  // namespace sinter
