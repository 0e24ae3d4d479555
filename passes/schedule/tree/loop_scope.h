// Who runs the steps of a loop.
#pragma once

#include "ir/module/module.h"
#include "passes/schedule/tree/tree.h"

namespace sinter {

// Who runs a loop in a kernel that makes steps of map loops threads (`maps_loops`), or whose blocks work together: a
// thread, a block, or nobody, where its steps are threads (kMap).
Scope loop_scope(const Instruction& loop, bool maps_loops, bool blocks);

}  // namespace sinter
