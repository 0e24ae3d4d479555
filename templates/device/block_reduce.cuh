// block_reduce<kThreads>(value, combine): the values of all threads of a block combined, in every
// thread.
//
// Each warp combines its own values; then every thread combines those of the warps, in their order.
// The order is fixed by kThreads, so the result has the same bits from run to run and in every
// thread.
#pragma once

#include "device/launch.cuh"
#include "device/warp_reduce.cuh"

inline namespace sinter_helpers {

template <class T, int kWarps>
struct BlockReduceShared {
  T of_warp[kWarps];
};

// All kThreads threads of the block call it together, with blockDim.x == kThreads.
template <int kThreads, class T, class Combine>
__device__ inline T block_reduce(T value, Combine combine) {
  static_assert(kThreads % 32 == 0 && kThreads >= 32 && kThreads <= 1024,
                "a block is 1 to 32 whole warps");
  constexpr int kWarps = kThreads / 32;
  value = warp_reduce(value, combine);
  if constexpr (kWarps == 1) {
    __syncwarp();  // shuffles alone order no accesses to memory
    return value;
  } else {
    auto& shared = block_shared<BlockReduceShared<T, kWarps>>();
    if (threadIdx.x % 32 == 0) shared.of_warp[threadIdx.x / 32] = value;
    __syncthreads();
    T result = shared.of_warp[0];
#pragma unroll
    for (int warp = 1; warp < kWarps; ++warp) result = combine(result, shared.of_warp[warp]);
    __syncthreads();  // the next call writes of_warp again
    return result;
  }
}

}  // namespace sinter_helpers
