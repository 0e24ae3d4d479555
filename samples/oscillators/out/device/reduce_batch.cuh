// reduce_batch(values, t, results, combine): results[s] becomes the block's reduction of what its
// threads have in step s of a loop, for each step s of a batch up to t. A warp reduces a step.
//
// values[s % kBatch] has the values of step s, one a thread. All threads of the block call it when
// a batch is full, or the loop ends; a barrier stands before and after. The order in which values
// are combined is fixed.
#pragma once

#include "device/launch.cuh"
#include "device/warp_reduce.cuh"

inline namespace sinter_eb34b753 {

template <class T, int kBatch, int kThreads, class Combine>
__device__ inline void reduce_batch(const T (&values)[kBatch][kThreads], int t, T* results,
                                    Combine combine) {
  constexpr int kWarp = 32;
  static_assert(kThreads % kWarp == 0 && kBatch <= kThreads / kWarp, "a warp a step");
  const int in_batch = threadIdx.x / kWarp;
  const int lane = threadIdx.x % kWarp;
  const int step = t - t % kBatch + in_batch;
  if (in_batch >= kBatch || step > t) return;
  T result = values[in_batch][lane];
#pragma unroll
  for (int thread = lane + kWarp; thread < kThreads; thread += kWarp) {
    result = combine(result, values[in_batch][thread]);
  }
  result = warp_reduce(result, combine);
  if (lane == 0) results[step] = result;
}

}  // namespace sinter_eb34b753
