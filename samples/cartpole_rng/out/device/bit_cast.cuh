// bit_cast<To>(from): the same bits as another type of the same size.
#pragma once

#include <cstring>
#include <type_traits>

#include "device/launch.cuh"

inline namespace sinter_eb34b753 {

template <class To, class From>
__host__ __device__ inline To bit_cast(From from) {
  static_assert(sizeof(To) == sizeof(From), "a bit cast keeps the size");
  static_assert(std::is_trivially_copyable_v<To> && std::is_trivially_copyable_v<From>);
  To to;
  memcpy(&to, &from, sizeof(To));
  return to;
}

}  // namespace sinter_eb34b753
