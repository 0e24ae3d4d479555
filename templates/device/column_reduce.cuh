// column_reduce<kThreads>(value, combine): for 32 columns side by side, one a lane, the values of
// all warps combined, in the order of the warps, in every warp. The result has the same bits from
// run to run.
#pragma once

#include "device/launch.cuh"

inline namespace sinter_helpers {

template <class T, int kWarps>
struct ColumnReduceShared {
  T of_warp[kWarps][32];
};

// All kThreads threads of the block call it together, with blockDim.x == kThreads.
template <int kThreads, class T, class Combine>
__device__ inline T column_reduce(T value, Combine combine) {
  static_assert(kThreads % 32 == 0 && kThreads >= 32 && kThreads <= 1024,
                "a block is 1 to 32 whole warps");
  constexpr int kWarps = kThreads / 32;
  const int lane = threadIdx.x % 32;
  auto& shared = block_shared<ColumnReduceShared<T, kWarps>>();
  shared.of_warp[threadIdx.x / 32][lane] = value;
  __syncthreads();
  T result = shared.of_warp[0][lane];
#pragma unroll
  for (int warp = 1; warp < kWarps; ++warp) result = combine(result, shared.of_warp[warp][lane]);
  __syncthreads();  // the next call writes of_warp again
  return result;
}

}  // namespace sinter_helpers
