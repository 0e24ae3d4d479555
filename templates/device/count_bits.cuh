// Numbers of bits in integers of any width.
#pragma once

#include <type_traits>

#include "device/launch.cuh"

inline namespace sinter_helpers {

// How many bits are set.
template <class T>
__device__ inline T population_count(T x) {
  using Unsigned = std::make_unsigned_t<T>;
  if constexpr (sizeof(T) == 8) {
    return static_cast<T>(__popcll(static_cast<Unsigned>(x)));
  } else {
    return static_cast<T>(__popc(static_cast<Unsigned>(x)));
  }
}

// How many bits above the highest set one are clear; the type's width for 0.
template <class T>
__device__ inline T count_leading_zeros(T x) {
  using Unsigned = std::make_unsigned_t<T>;
  constexpr int kWidth = sizeof(T) * 8;
  if constexpr (kWidth == 64) {
    return static_cast<T>(__clzll(static_cast<long long>(x)));
  } else {
    return static_cast<T>(__clz(static_cast<int>(static_cast<Unsigned>(x))) - (32 - kWidth));
  }
}

}  // namespace sinter_helpers
