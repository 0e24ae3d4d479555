// thread_sort and block_sort<kThreads, kItems>: stable sorts of an array of elements that one
// thread or block holds.
//
// before(a, b) says whether a must stand before b; equal elements keep their order.
#pragma once

#include "device/launch.cuh"

inline namespace sinter_eb34b753 {

// The first `count` of kItems elements. Neighbours that are in the wrong order change places,
// kItems times, which sorts any order; with every loop unrolled the elements stay in registers.
template <int kItems, class T, class Before>
__device__ inline void thread_sort(T (&items)[kItems], int count, Before before) {
#pragma unroll
  for (int pass = 0; pass < kItems; ++pass) {
#pragma unroll
    for (int i = pass % 2; i < kItems - 1; i += 2) {
      if (i + 1 < count && before(items[i + 1], items[i])) {
        const T item = items[i];
        items[i] = items[i + 1];
        items[i + 1] = item;
      }
    }
  }
}

// How many of the first `rank` elements of the stable merge of a and b, both sorted, are a's.
template <class T, class Before>
__device__ inline int merge_split(const T* a, int a_count, const T* b, int b_count, int rank,
                                  Before before) {
  int low = rank > b_count ? rank - b_count : 0;
  int high = rank < a_count ? rank : a_count;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (before(b[rank - 1 - middle], a[middle])) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

// elements[0, count), count <= kThreads * kItems, in shared memory: each thread sorts kItems
// neighbours, then runs are merged two by two, every thread writing kItems elements of a merged
// run. The block's threads call it together; it begins and ends with a barrier.
template <int kThreads, int kItems, class T, class Before>
__device__ inline void block_sort(T* elements, int count, Before before) {
  const int begin = threadIdx.x * kItems;
  T items[kItems];
  __syncthreads();
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (begin + i < count) items[i] = elements[begin + i];
  }
  thread_sort(items, count - begin, before);
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (begin + i < count) elements[begin + i] = items[i];
  }
  __syncthreads();

  for (int run = kItems; run < count; run *= 2) {
    // Our elements are in one pair of runs, a and b: 2 * run is a multiple of kItems.
    const int a = begin / (2 * run) * (2 * run);
    const int b = a + run < count ? a + run : count;
    const int end = a + 2 * run < count ? a + 2 * run : count;
    if (begin < count) {
      int i = a + merge_split(elements + a, b - a, elements + b, end - b, begin - a, before);
      int j = b + begin - i;
#pragma unroll
      for (int k = 0; k < kItems; ++k) {
        if (begin + k >= end) break;
        const bool from_b = i == b || (j < end && before(elements[j], elements[i]));
        items[k] = elements[from_b ? j++ : i++];
      }
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kItems; ++k) {
      if (begin + k < end) elements[begin + k] = items[k];
    }
    __syncthreads();
  }
}

}  // namespace sinter_eb34b753
