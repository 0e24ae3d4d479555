// Loops of kernels whose steps compute something dear that is the same for all threads, or all of a block (of a chain
// whose elements these are): random keys, split in each step, are the usual case. The lanes of a warp share that work:
// each computes it for one of 32 steps, ahead of them, and each step reads it from its lane. What a step hands on to
// the next (the key itself) cannot be shared: all threads make those 32 steps first, and each lane keeps what its own
// step begins with.
//
//   for (int t = 0; t < kSteps; ++t) {           =>   for (int first = 0; first < kSteps; first += kWarp) {
//     const uint32_t k = hash(key, 1);                  uint32_t key_of_lane = key;
//     x += hash(k, element);                            for (int t = first; t < first + kWarp; ++t) {
//     key = hash(key, 0);                                 if (t % kWarp == lane) key_of_lane = key;
//   }                                                     key = hash(key, 0);
//                                                       }
//                                                       const uint32_t k_of_lane = hash(key_of_lane, 1);
//                                                       for (int t = first; t < first + kWarp; ++t) {
//                                                         x += hash(from_lane(k_of_lane, t % kWarp), element);
//                                                       }
//                                                     }
//
// Loops and reductions inside a step are none of it: they read from lanes what they need.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "passes/stages/domain/domain.h"

namespace sinter {

struct StepsAhead {
  std::vector<NodeId> values;  // that lanes compute, each in a step's scope and the same for all threads
  std::vector<size_t> slots;   // of the loop: what they need of the step before
  int64_t saved = 0;           // operations a step
};

// What is dear and may be computed ahead in loop `number` of a map kernel; nullopt where there is nothing, or where
// threads of a warp may not all come to the loop.
std::optional<StepsAhead> find_steps_ahead(const MapDemand& demand, size_t number);

// Whether that had better be.
bool is_worth_ahead(const StepsAhead& ahead);

// Whether the kernel has that loop, and something may be computed ahead in it.
bool computes_ahead(const MapDemand& demand, const Instruction& loop);

// Rewrites the graph so (DemandLoop::ahead, kFromLane).
void compute_ahead(DemandGraph* graph, size_t number, const StepsAhead& ahead);

}  // namespace sinter
