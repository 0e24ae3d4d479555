// rotate_left(x, n): the bits of an unsigned number moved up by n, those that leave at the top
// coming back at the bottom. 0 < n < the number of bits.
#pragma once

#include <cstdint>
#include <type_traits>

#include "device/launch.cuh"

inline namespace sinter_eb34b753 {

template <class T>
__host__ __device__ inline T rotate_left(T x, int n) {
  static_assert(std::is_unsigned_v<T> && sizeof(T) >= 4);
#ifdef __CUDA_ARCH__
  if constexpr (sizeof(T) == 4) return __funnelshift_l(x, x, n);
#endif
  return x << n | x >> (static_cast<int>(sizeof(T)) * 8 - n);
}

}  // namespace sinter_eb34b753
