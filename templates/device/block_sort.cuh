// thread_sort and block_sort<kThreads, kItems>: stable sorts of an array of elements that one
// thread or block holds.
//
// before(a, b) says whether a must stand before b; equal elements keep their order.
#pragma once

#include "device/launch.cuh"

inline namespace sinter_helpers {

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
    const T a_item = a[middle], b_item = b[rank - 1 - middle];
    if (before(b_item, a_item)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

// The stable merge of two sorted runs that are neighbours, elements[begin, middle) and
// elements[middle, end), from its element `rank` on: next(before) is one element after the other,
// and behind the last any. A run's first element is read while it is in a register, so that each
// element takes one load.
template <class T>
class RunMerge {
 public:
  template <class Before>
  __device__ RunMerge(const T* elements, int begin, int middle, int end, int rank, Before before)
      : elements_(elements), middle_(middle), end_(end) {
    a_ = begin + merge_split(elements + begin, middle - begin, elements + middle, end - middle,
                             rank, before);
    b_ = middle + begin + rank - a_;
    a_item_ = elements[a_ < end ? a_ : end - 1];
    b_item_ = elements[b_ < end ? b_ : end - 1];
  }

  template <class Before>
  __device__ T next(Before before) {
    const bool is_b_first = before(b_item_, a_item_);  // asked always, which takes no branch
    const bool from_b = b_ < end_ && (a_ >= middle_ || is_b_first);
    const T item = from_b ? b_item_ : a_item_;
    const int place = from_b ? ++b_ : ++a_;
    const T following = elements_[place < end_ ? place : end_ - 1];
    if (from_b) {
      b_item_ = following;
    } else {
      a_item_ = following;
    }
    return item;
  }

 private:
  const T* elements_;
  int middle_, end_;
  int a_, b_;  // where the next element of either run is
  T a_item_, b_item_;
};

// elements[0, count), count <= kThreads * kItems, in shared memory: each thread sorts kItems
// neighbours, then runs are merged two by two, every thread writing kItems elements of a merged
// run. The block's threads call it together; it begins and ends with a barrier. With an odd number
// of items no two lanes write to one bank of shared memory.
template <int kThreads, int kItems, class T, class Before>
__device__ inline void block_sort(T* elements, int count, Before before) {
  const int begin = threadIdx.x * kItems;
  T items[kItems];
  __syncthreads();
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (begin + i < count) items[i] = elements[begin + i];
  }
  if (begin + kItems <= count) {
    thread_sort(items, kItems, before);
  } else {
    thread_sort(items, count - begin, before);
  }
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (begin + i < count) elements[begin + i] = items[i];
  }

  for (int run = kItems; run < count; run *= 2) {
    // Our elements are in one pair of runs: 2 * run is a multiple of kItems. The pairs of a warp
    // are its own until they are longer than what it holds.
    const bool is_warps = 2 * run <= 32 * kItems;
    const int a = begin / (2 * run) * (2 * run);
    const int b = a + run < count ? a + run : count;
    const int end = a + 2 * run < count ? a + 2 * run : count;
    if (is_warps) {
      __syncwarp();
    } else {
      __syncthreads();
    }
    if (begin < count) {
      RunMerge<T> merge(elements, a, b, end, begin - a, before);
#pragma unroll
      for (int k = 0; k < kItems; ++k) items[k] = merge.next(before);
    }
    if (is_warps) {
      __syncwarp();
    } else {
      __syncthreads();
    }
#pragma unroll
    for (int k = 0; k < kItems; ++k) {
      if (begin + k < end) elements[begin + k] = items[k];
    }
  }
  __syncthreads();
}

}  // namespace sinter_helpers
