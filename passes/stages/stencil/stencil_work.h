// What the stages of stencils take: of an element, and of a launch.
#pragma once

#include <cstdint>

#include "ir/kernel/work.h"
#include "passes/demand/demand.h"

namespace sinter {

// What a microsecond has of an H200's cycles, as its data file says (templates/gpus).
inline constexpr double kCyclesAUs = 1980;

// Microseconds for bytes of memory, or of the L2 cache where all of them fit it.
double bytes_us(double bytes);

// Instructions of a node, by unit, without registers; and of one element.
Work node_work(const DemandGraph& graph, NodeId id);
Work element_work(const DemandGraph& graph);

struct StencilLaunch {
  int64_t blocks = 1, threads = 1;  // of a block
  int64_t shared_bytes = 0;
  double bytes = 0;            // of memory
  bool counts_memory = false;  // loads and stores have lanes of their own
};
// Microseconds that a launch takes.
double launch_us(const Work& work, const StencilLaunch& launch);

}  // namespace sinter
