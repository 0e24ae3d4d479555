// Sizes that the caller gives with each run, handed to kernels.
#pragma once

#include "passes/lower/host/host_plan.h"

namespace sinter {

// A size is a number of the host's: kernels that only read it get it by value. For whatever else reads it (a copy to a
// result, the call of a library) a kernel stores it in device memory, before anything else.
void pass_sizes(Program* program);

}  // namespace sinter
