// A row a block: its elements in registers, four neighbours a thread at a time, and sums of a block.
#pragma once

#include "device/launch.cuh"

constexpr int kRowThreads = 256;

struct alignas(16) Four {
  float at[4];
};

struct Largest {
  __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};
struct Plus {
  __device__ float operator()(float a, float b) const { return a + b; }
};

// In every thread. Two calls need two arrays, or a barrier between them.
template <class Combine>
__device__ inline float combine_block(float value, Combine combine, float (&of_warp)[kRowThreads / 32]) {
  for (int distance = 16; distance > 0; distance /= 2) {
    value = combine(value, __shfl_xor_sync(0xffffffffu, value, distance));
  }
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = value;
  __syncthreads();
  value = of_warp[0];
  for (int warp = 1; warp < kRowThreads / 32; ++warp) value = combine(value, of_warp[warp]);
  return value;
}

// Calls use(std::integral_constant<int, k>()) with the least k of 1, 2, 4, 8, 16 for which a block has all of a row in
// registers, k fours a thread; false where none is enough.
template <class Use>
bool with_fours(int64_t columns, const Use& use) {
  const int64_t fours = (columns / 4 + kRowThreads - 1) / kRowThreads;
  if (columns % 4 != 0 || fours > 16) return false;
  if (fours <= 1)
    use(std::integral_constant<int, 1>());
  else if (fours <= 2)
    use(std::integral_constant<int, 2>());
  else if (fours <= 4)
    use(std::integral_constant<int, 4>());
  else if (fours <= 8)
    use(std::integral_constant<int, 8>());
  else
    use(std::integral_constant<int, 16>());
  return true;
}
