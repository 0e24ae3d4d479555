// How long a thread waits for what it has asked for, in cycles: latencies of recent GPUs, rounded. Of the loads of a
// reduction's steps some are under way and some hit a cache.
#pragma once

namespace sinter {

inline constexpr double kArithmeticCycles = 4, kLoadCycles = 500, kPipelinedLoadCycles = 60, kShuffleCycles = 25,
                        kSharedCycles = 25, kBarrierCycles = 30;

}  // namespace sinter
