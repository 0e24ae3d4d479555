// from_lane(value, lane): the value of the warp's lane of that number, 0 to 31, in every lane. Any
// type is moved as 32-bit words. All lanes of the warp call it.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "device/launch.cuh"

inline namespace sinter_eb34b753 {

template <class T>
__device__ inline T from_lane(T value, int lane) {
  static_assert(std::is_trivially_copyable_v<T>);
  if constexpr (std::is_arithmetic_v<T> && sizeof(T) >= 4) {
    return __shfl_sync(0xffffffffu, value, lane);
  } else {
    uint32_t words[(sizeof(T) + 3) / 4] = {};
    memcpy(words, &value, sizeof(T));
    for (uint32_t& word : words) word = __shfl_sync(0xffffffffu, word, lane);
    memcpy(&value, words, sizeof(T));
    return value;
  }
}

}  // namespace sinter_eb34b753
