// reduce_batch(values, t, results, combine): what the threads of a block have of each of some steps
// of a loop, combined.
//
// Step t leaves a value a thread in values[t % kBatch]. Once kBatch steps have, or the last one has,
// all threads call it together, between two barriers: a warp a step combines them in a fixed order,
// results[t] of step t.
#pragma once

#include "device/launch.cuh"
#include "device/warp_reduce.cuh"

template <class T, int kBatch, int kThreads, class Combine>
__device__ inline void reduce_batch(const T (&values)[kBatch][kThreads], int t, T* results,
                                    Combine combine) {
  constexpr int kWarp = 32;
  static_assert(kThreads % kWarp == 0 && kBatch <= kThreads / kWarp, "a warp a step");
  const int in_batch = threadIdx.x / kWarp;
  const int lane = threadIdx.x % kWarp;
  const int first = t - t % kBatch;
  if (in_batch >= kBatch || first + in_batch > t) return;
  T result = values[in_batch][lane];
#pragma unroll
  for (int thread = kWarp; thread < kThreads; thread += kWarp) {
    result = combine(result, values[in_batch][thread + lane]);
  }
  result = warp_reduce(result, combine);
  if (lane == 0) results[first + in_batch] = result;
}
