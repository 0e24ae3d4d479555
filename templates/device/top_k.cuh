// kth_best, offer and keep_best: a block keeps the first kK of a stream of elements in shared
// memory.
//
//   every thread: of some of its elements the first, mine
//   bound = kth_best<kThreads, kK>(mine, best, before);
//   for each chunk of kChunk elements:
//     every thread: for each of its elements: offer(element, bound, best, &count, before);
//     keep_best<kThreads, kItems, kK, kChunk>(is_last, best, &count, &bound, before);
//
// What may stand among the first kK, since it does not stand behind `bound`, is in best[0, count)
// in any order, and sorted when another chunk might not fit, and at the end: best has room for
// kK + 2 * kChunk elements. `before` is a total order (elements carry their position), so the
// result does not depend on the order in which they came.
#pragma once

#include "device/block_sort.cuh"
#include "device/launch.cuh"
#include "device/warp_reduce.cuh"

inline namespace sinter_helpers {

// An element that kK of all threads' elements, one each, do not stand behind: the kK-th of the best
// of groups of lanes, of which there are twice as many, or more.
template <int kThreads, int kK, class T, class Before>
__device__ inline T kth_best(const T& mine, T* best, Before before) {
  static_assert(kK <= kThreads, "an element a thread is enough");
  constexpr int kLanes = kThreads >= 32 * kK   ? 16
                         : kThreads >= 16 * kK ? 8
                         : kThreads >= 8 * kK  ? 4
                         : kThreads >= 4 * kK  ? 2
                                               : 1;
  const T first = warp_reduce<kLanes>(
      mine, [&](const T& a, const T& b) { return before(b, a) ? b : a; });
  if (threadIdx.x % kLanes == 0) best[threadIdx.x / kLanes] = first;
  block_sort<kThreads, 1>(best, kThreads / kLanes, before);
  const T bound = best[kK - 1];
  __syncthreads();
  return bound;
}

// Takes the element if it may be one of the first.
template <class T, class Before>
__device__ inline void offer(const T& element, const T& bound, T* best, int* count, Before before) {
  if (!before(bound, element)) best[atomicAdd(count, 1)] = element;
}

// After the last chunk, and where another one might not fit, sorts what was taken, at most kThreads
// * kItems elements, and leaves the first kK, the last of which is the bound from now on. The
// block's threads call it together; it begins and ends with a barrier.
template <int kThreads, int kItems, int kK, int kChunk, class T, class Before>
__device__ inline void keep_best(bool is_last, T* best, int* count, T* bound, Before before) {
  __syncthreads();
  const int all = *count;
  if (is_last || all > kK + kChunk) {
    block_sort<kThreads, kItems>(best, all, before);
    if (threadIdx.x == 0) *count = kK;
    *bound = best[kK - 1];
  }
  __syncthreads();
}

}  // namespace sinter_helpers
