// column_scan<kThreads>(value, combine, &carry): for 32 columns side by side, one a lane, what the
// carry and the values of all warps up to this one combine to, in the order of the warps. The
// carry, equal in a lane of every warp, becomes what it and all values of the column combine to:
// the next call continues this one.
#pragma once

#include "device/launch.cuh"

inline namespace sinter_helpers {

template <class T, int kWarps>
struct ColumnScanShared {
  T of_warp[kWarps][32];
};

// All kThreads threads of the block call it together, with blockDim.x == kThreads.
template <int kThreads, class T, class Combine>
__device__ inline T column_scan(T value, Combine combine, T* carry) {
  static_assert(kThreads % 32 == 0 && kThreads >= 32 && kThreads <= 1024,
                "a block is 1 to 32 whole warps");
  constexpr int kWarps = kThreads / 32;
  const int lane = threadIdx.x % 32;
  const int own_warp = threadIdx.x / 32;
  auto& shared = block_shared<ColumnScanShared<T, kWarps>>();
  shared.of_warp[own_warp][lane] = value;
  __syncthreads();
  T sum = *carry;
#pragma unroll
  for (int warp = 0; warp < kWarps; ++warp) {
    sum = combine(sum, shared.of_warp[warp][lane]);
    if (warp == own_warp) value = sum;
  }
  *carry = sum;
  __syncthreads();  // the next call writes of_warp again
  return value;
}

}  // namespace sinter_helpers
