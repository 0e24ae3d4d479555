// offer and keep_best: a block keeps the first k of a stream of elements, sorted, in shared memory.
//
//   for each chunk:
//     every thread: for each of its elements: offer<kK>(element, count, best, &fresh, before);
//     count = keep_best<kThreads, kItems, kK>(best, count, &fresh, before);
//
// best[0, count) are sorted, count <= kK. What of a chunk may stand among the first kK is put
// behind them in any order, and sorted with them at the chunk's end. `before` is a total order
// (elements carry their position), so the result does not depend on that order.
#pragma once

#include "device/block_sort.cuh"
#include "device/launch.cuh"

inline namespace sinter_helpers {

// Puts the element behind best[0, count) if it may be one of the first kK.
template <int kK, class T, class Before>
__device__ inline void offer(const T& element, int count, T* best, int* fresh, Before before) {
  if (count < kK || before(element, best[kK - 1])) best[count + atomicAdd(fresh, 1)] = element;
}

// Sorts best[0, count) and the elements that were put behind, at most kThreads * kItems in all;
// returns how many of them are to be kept. The block's threads call it together; afterwards *fresh
// is zero.
template <int kThreads, int kItems, int kK, class T, class Before>
__device__ inline int keep_best(T* best, int count, int* fresh, Before before) {
  __syncthreads();
  const int all = count + *fresh;
  if (all > count) block_sort<kThreads, kItems>(best, all, before);
  __syncthreads();
  if (threadIdx.x == 0) *fresh = 0;
  __syncthreads();
  return all < kK ? all : kK;
}

}  // namespace sinter_helpers
