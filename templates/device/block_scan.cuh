// block_scan<kThreads>(value, combine): what the values of all threads of a block up to this one
// combine to.
//
// block_scan<kThreads>(value, combine, &carry): what the carry and these values combine to. The
// carry, equal in every thread, becomes what it and all values combine to: the next call continues
// this one.
//
// Each warp scans its own values; then every thread combines the carry, if there is one, with those
// of the warps before its own, in their order. The order is fixed by kThreads, so the result has the
// same bits from run to run.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "device/launch.cuh"

inline namespace sinter_helpers {

// The value of the lane `distance` below ours; our own where there is none. Any type is moved as
// 32-bit words.
template <class T>
__device__ inline T shuffle_up(T value, int distance) {
  static_assert(std::is_trivially_copyable_v<T>);
  if constexpr (std::is_arithmetic_v<T> && sizeof(T) >= 4) {
    return __shfl_up_sync(0xffffffffu, value, distance);
  } else {
    uint32_t words[(sizeof(T) + 3) / 4] = {};
    memcpy(words, &value, sizeof(T));
    for (uint32_t& word : words) word = __shfl_up_sync(0xffffffffu, word, distance);
    memcpy(&value, words, sizeof(T));
    return value;
  }
}

template <class T, class Combine>
__device__ inline T warp_scan(T value, Combine combine) {
  const int lane = threadIdx.x % 32;
#pragma unroll
  for (int distance = 1; distance < 32; distance *= 2) {
    const T below = shuffle_up(value, distance);
    if (lane >= distance) value = combine(below, value);
  }
  return value;
}

template <class T, int kWarps>
struct BlockScanShared {
  T of_warp[kWarps];
};

// All kThreads threads of the block call it together, with blockDim.x == kThreads.
template <int kThreads, class T, class Combine>
__device__ inline T block_scan(T value, Combine combine) {
  static_assert(kThreads % 32 == 0 && kThreads >= 32 && kThreads <= 1024,
                "a block is 1 to 32 whole warps");
  constexpr int kWarps = kThreads / 32;
  value = warp_scan(value, combine);
  if constexpr (kWarps == 1) {
    __syncwarp();  // shuffles alone order no accesses to memory
    return value;
  } else {
    const int own_warp = threadIdx.x / 32;
    auto& shared = block_shared<BlockScanShared<T, kWarps>>();
    if (threadIdx.x % 32 == 31) shared.of_warp[own_warp] = value;
    __syncthreads();
    T before = shared.of_warp[0];
#pragma unroll
    for (int warp = 1; warp < kWarps; ++warp) {
      if (warp < own_warp) before = combine(before, shared.of_warp[warp]);
    }
    __syncthreads();  // the next call writes of_warp again
    return own_warp == 0 ? value : combine(before, value);
  }
}

// The same.
template <int kThreads, class T, class Combine>
__device__ inline T block_scan(T value, Combine combine, T* carry) {
  static_assert(kThreads % 32 == 0 && kThreads >= 32 && kThreads <= 1024,
                "a block is 1 to 32 whole warps");
  constexpr int kWarps = kThreads / 32;
  const int own_warp = threadIdx.x / 32;
  value = warp_scan(value, combine);
  auto& shared = block_shared<BlockScanShared<T, kWarps>>();
  if (threadIdx.x % 32 == 31) shared.of_warp[own_warp] = value;
  __syncthreads();
  T before = *carry;
#pragma unroll
  for (int warp = 0; warp < kWarps; ++warp) {
    if (warp == own_warp) before = *carry;
    *carry = combine(*carry, shared.of_warp[warp]);
  }
  __syncthreads();  // the next call writes of_warp again
  return combine(before, value);
}

}  // namespace sinter_helpers
