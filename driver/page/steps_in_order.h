// The steps of a host plan as they stand in its text, one after the other.
#pragma once

#include <cstddef>
#include <vector>

#include "passes/lower/host/host_plan.h"

namespace sinter {

struct OrderedStep {
  const HostStep* step = nullptr;
  size_t top = 0;        // which of the plan's own steps it is, or is in
  bool in_loop = false;  // what stands before it may also run after it, if `top` is the same
};

// Those that are loops or branches too, before what is in them.
std::vector<OrderedStep> steps_in_order(const HostPlan& plan);

}  // namespace sinter
