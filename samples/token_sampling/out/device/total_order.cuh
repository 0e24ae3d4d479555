// total_order_key(x): an integer that orders floats of any width as HLO's TOTALORDER does, by `<`
// on signed integers: -NaN, -infinity, ..., -0, +0, ..., +infinity, +NaN.
#pragma once

#include <cstdint>
#include <type_traits>

#include "device/bit_cast.cuh"
#include "device/launch.cuh"

inline namespace sinter_eb34b753 {

template <class Float>
__host__ __device__ inline auto total_order_key(Float x) {
  using Key = std::conditional_t<sizeof(Float) == 2, int16_t,
                                 std::conditional_t<sizeof(Float) == 4, int32_t, int64_t>>;
  constexpr Key kMagnitude = static_cast<Key>((uint64_t{1} << (sizeof(Key) * 8 - 1)) - 1);
  const Key bits = bit_cast<Key>(x);
  // The larger the magnitude of a negative number, the smaller its key.
  return bits < 0 ? static_cast<Key>(bits ^ kMagnitude) : bits;
}

}  // namespace sinter_eb34b753
