// What is dear and the same in every step of a loop is made once, before it.
#pragma once

#include <unordered_set>
#include <vector>

#include "passes/graph/base/change_carries.h"
#include "passes/graph/base/graph_pass.h"

namespace sinter {

bool hoist_invariants(Module& module, const GraphPassOptions& options);
// Sums over large arrays and products, too.
bool hoist_sums(Module& module, const GraphPassOptions& options);

// Instructions of a loop's body that have the same value in every step; only looked up.
using InvariantSet = std::unordered_set<const Instruction*>;
InvariantSet find_invariants(const CarriedLoop& loop);
// Of the loop that a computation is the body of; none of any other computation.
InvariantSet loop_invariants(const Computation& computation);

// Makes these invariants before the loop, which can carry more, and carries them.
void make_before(const CarriedLoop& loop, const std::vector<Instruction*>& arrays);

}  // namespace sinter
