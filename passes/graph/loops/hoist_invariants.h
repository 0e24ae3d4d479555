// What is dear and the same in every step of a loop is made once, before it.
#pragma once

#include <unordered_set>

#include "passes/graph/base/graph_pass.h"

namespace sinter {

bool hoist_invariants(Module& module, const GraphPassOptions& options);

// The values of a loop's body that are the same in every step; none of a computation that is no loop's body.
std::unordered_set<const Instruction*> loop_invariants(const Computation& computation);

}  // namespace sinter
