// Integers of 1, 2 and 4 bits: an element a byte, which holds the number itself. Arithmetic is done
// on bytes; then the low bits are the result, and those above follow from them.
#pragma once

#include <cstdint>

#include "device/launch.cuh"

inline namespace sinter_helpers {

// The low kBits bits as a signed number.
template <int kBits, class T>
__host__ __device__ inline int8_t sign_extend(T x) {
  constexpr int kUnused = 8 - kBits;
  return static_cast<int8_t>(static_cast<int8_t>(static_cast<uint8_t>(x) << kUnused) >> kUnused);
}

// The low kBits bits as an unsigned number.
template <int kBits, class T>
__host__ __device__ inline uint8_t zero_extend(T x) {
  return static_cast<uint8_t>(static_cast<uint8_t>(x) & ((1 << kBits) - 1));
}

}  // namespace sinter_helpers
