// Places of intermediate buffers in one arena, by liveness.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "passes/lower/host/host_plan.h"

namespace sinter {

// When a kArena buffer has its place. One used inside a host loop lives through the whole loop, and with every buffer
// its pointer is swapped with.
struct ArenaLife {
  size_t buffer = 0;           // of HostPlan::buffers
  size_t first = 0, last = 0;  // of HostPlan::steps
  int64_t bytes = 0;           // 256-byte aligned
};

// Of all that some step uses, in the plan's order.
std::vector<ArenaLife> arena_lives(const HostPlan& plan);

// The first step at which most is live, and how much that is.
struct LivePeak {
  size_t step = 0;
  int64_t bytes = 0;
};
LivePeak live_peak(const HostPlan& plan, const std::vector<ArenaLife>& lives);

// Sets offset of every kArena buffer (256-byte aligned), arena_bytes and live_bytes.
void assign_arena(HostPlan* plan);

}  // namespace sinter
