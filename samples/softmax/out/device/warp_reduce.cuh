// warp_reduce(value, combine): the values of a warp's 32 lanes combined, in every lane;
// warp_reduce<16>(value, combine): those of 16 neighbouring lanes.
//
// Lanes exchange at distance 16, 8, 4, 2, 1, which fixes the order: the result has the same bits
// from run to run, and, for a commutative operation, in every lane.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "device/launch.cuh"

inline namespace sinter_eb34b753 {

// The value of the lane whose number differs from ours in the bits of `mask`. Any type is moved as
// 32-bit words.
template <class T>
__device__ inline T shuffle_xor(T value, int mask) {
  static_assert(std::is_trivially_copyable_v<T>);
  if constexpr (std::is_arithmetic_v<T> && sizeof(T) >= 4) {
    return __shfl_xor_sync(0xffffffffu, value, mask);
  } else {
    uint32_t words[(sizeof(T) + 3) / 4] = {};
    memcpy(words, &value, sizeof(T));
    for (uint32_t& word : words) word = __shfl_xor_sync(0xffffffffu, word, mask);
    memcpy(&value, words, sizeof(T));
    return value;
  }
}

template <int kLanes = 32, class T, class Combine>
__device__ inline T warp_reduce(T value, Combine combine) {
  static_assert(kLanes >= 1 && kLanes <= 32 && (kLanes & (kLanes - 1)) == 0, "a power of two");
#pragma unroll
  for (int mask = kLanes / 2; mask > 0; mask /= 2) {
    value = combine(value, shuffle_xor(value, mask));
  }
  return value;
}

}  // namespace sinter_eb34b753
