// Bins: many values belong to few places, and a block has bins for these in shared memory.
// bins[place]: any thread combines its value with the bin, atomically. bins[warp][place]: each warp,
// or larger group of threads, has its own; lanes whose values belong to one place take turns, so
// that the order in which values are combined is fixed.
#pragma once

#include "device/launch.cuh"

inline namespace sinter_helpers {

// The bins of the kThreads neighbouring threads that call it: a block's, or a warp's.
template <int kThreads, int kBins, class T>
__device__ void clear_bins(T (&bins)[kBins], T nothing) {
  for (int bin = threadIdx.x % kThreads; bin < kBins; bin += kThreads) bins[bin] = nothing;
}

// For all kThreads threads of the block, after __syncthreads(): its bins go to memory.
template <int kThreads, int kBins, class T>
__device__ void store_bins(const T (&bins)[kBins], T* result) {
  for (int bin = threadIdx.x; bin < kBins; bin += kThreads) result[bin] = bins[bin];
}

// For all threads of the block, after __syncthreads(): result[bin] is what its groups of kLanes
// threads have of a bin.
template <int kLanes, int kGroups, int kBins, class T, class Combine>
__device__ void combine_bins(const T (&bins)[kGroups][kBins], T* result, Combine combine) {
  for (int bin = threadIdx.x; bin < kBins; bin += kGroups * kLanes) {
    T value = bins[0][bin];
    for (int group = 1; group < kGroups; ++group) value = combine(value, bins[group][bin]);
    result[bin] = value;
  }
}

// Turns of a warp's lanes: `while (turns.advance()) if (turns.is_own()) { ... }`. Lanes of different
// places have theirs together, those of one place one after the other, in their order.
class LaneTurns {
 public:
  // For all lanes of a warp: where the lane's value belongs, and whether it has one.
  __device__ LaneTurns(int place, bool has_value) {
    const unsigned same = __match_any_sync(0xffffffffu, has_value ? place : -1);
    const unsigned before = (1u << threadIdx.x % 32) - 1;
    own_ = has_value ? __popc(same & before) : -1;
  }

  // For all lanes of a warp: whether one of them has a turn yet. It sees what others did in theirs.
  __device__ bool advance() {
    __syncwarp();
    ++turn_;
    return __any_sync(0xffffffffu, own_ >= turn_);
  }
  __device__ bool is_own() const { return own_ == turn_; }

 private:
  int own_, turn_ = -1;
};

}  // namespace sinter_helpers
