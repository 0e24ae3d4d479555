// What a launch takes on a GPU: the second half of the cost model (docs/cost.md). The first counts its work (work.h).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "ir/kernel/work.h"
#include "passes/schedule/cost/gpu.h"

namespace sinter {

// What a launch spends its time on.
enum class Bound : uint8_t {
  kLaunch,   // being launched
  kMemory,   // bytes of device memory, or of the L2 cache where all of them fit
  kF32,      // the units for floats, ...
  kF64,      // ... doubles, ...
  kInteger,  // ... integers, ...
  kSpecial,  // ... and elementary functions
  kTensor,   // tensor cores
  kIssue,    // giving out instructions
  kLatency,  // the longest chain of instructions that need each other, in each thread
  kCount,    // blocks that count themselves in one place, one after the other
};
// "memory"
std::string_view bound_name(Bound bound);

struct Launch {
  int64_t blocks = 1;
  int64_t threads = 1;  // of a block
  int64_t shared_bytes = 0;
  int64_t bytes = 0;    // read and written, each once
  int64_t counted = 0;  // blocks that count themselves where they end
  bool alone = false;   // one block a multiprocessor, which stays: no other kernel is part of the launch
};

struct Estimate {
  double us = 0;  // from the end of the launch before to its own
  Bound bound = Bound::kLaunch;
  double occupancy = 0;  // of the threads that a multiprocessor may have, those that it has
  double busy = 0;       // from the end of the launch before, of what it uses most of the share in use: 0 to 1
};
Estimate estimate(const Work& work, const Launch& launch, const Gpu& gpu);

// What a launch takes whose blocks wait `waits` times for one another. `launch`: threads and shared memory of a block.
Estimate estimate_resident(const std::vector<Round>& rounds, double waits, const Launch& launch, const Gpu& gpu);

// Microseconds that the host waits for a byte which decides what comes next. Not measured.
inline constexpr double kReadBackUs = 10;

// Microseconds to move so many bytes, read and written together, by a copy or a clear.
double transfer_us(int64_t bytes, const Gpu& gpu);

}  // namespace sinter
