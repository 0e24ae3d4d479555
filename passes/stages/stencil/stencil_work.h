// What the stages of stencils take: of an element, and of a launch.
#pragma once

#include <cstdint>

#include "ir/kernel/work.h"
#include "passes/demand/demand.h"

namespace sinter {

// An H200, as its data file has it (templates/gpus): what a microsecond has of cycles, and of bytes from memory and
// from the L2 cache where all of them fit it.
inline constexpr double kCycles = 1980, kMemoryBytes = 4.29e6, kCacheBytes = 7.71e6, kCacheSize = 26 << 20;

double bytes_us(double bytes);

// Instructions of one element, by unit, without registers.
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
