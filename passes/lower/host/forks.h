// Steps that need nothing of each other become branches of a graph: the device may run them side by side. Which do is
// decided by predicted time. A run that is no graph does all steps one after the other, in the same order.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "passes/lower/host/host_plan.h"

namespace sinter {

// What a step asks of the device.
struct StepLoad {
  double us = 0;    // from the end of the step before to its own
  double busy = 0;  // meanwhile, of what it uses most of (multiprocessors, memory, ...) the share in use: 0 to 1
};
// nullopt: nothing is known of it.
using LoadOf = std::function<std::optional<StepLoad>(const HostStep&)>;

// Microseconds of branches that begin together, until the last has ended: steps take longer by as much as all that run
// at a time would keep more than the device busy.
double side_by_side_us(const std::vector<std::vector<StepLoad>>& branches);
// What a kFork saves, beside its arms one after the other: less what it costs to begin and to join them.
double saved_us(const HostStep& fork, const LoadOf& load_of);

// Makes kFork steps where that takes clearly less time and a run can be a graph, in loops and arms of the host too, and
// places the arena again: what branches that run at the same time use does not share memory.
void fork_steps(const LoadOf& load_of, Program* program);

}  // namespace sinter
