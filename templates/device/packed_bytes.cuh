// Four bytes that are next to each other, in a word: the first in its lowest bits. Truths are 0 and 1.
#pragma once

#include "device/launch.cuh"

inline namespace sinter_helpers {

// N words from `from` on, which is aligned to them.
template <class T, int N>
__host__ __device__ inline void load_words(uint32_t (&words)[N], const T* from) {
  static_assert(sizeof(T) == 1);
#pragma unroll
  for (int i = 0; i < N; ++i) {
#ifdef SINTER_CPU
    __builtin_memcpy(&words[i], from + 4 * i, 4);
#else
    words[i] = reinterpret_cast<const uint32_t*>(from)[i];
#endif
  }
}

// `to` is aligned to a word.
template <class T>
__host__ __device__ inline void store_word(T* to, uint32_t word) {
  static_assert(sizeof(T) == 1);
#ifdef SINTER_CPU
  __builtin_memcpy(to, &word, 4);
#else
  *reinterpret_cast<uint32_t*>(to) = word;
#endif
}

// The four bytes from byte kFirst on.
template <int kFirst, int N>
__host__ __device__ inline uint32_t bytes_from(const uint32_t (&words)[N]) {
  constexpr int kWord = kFirst / 4, kBits = kFirst % 4 * 8;
  if constexpr (kBits == 0) {
    return words[kWord];
  } else {
    return words[kWord] >> kBits | words[kWord + 1] << (32 - kBits);
  }
}

// Each byte alone, and it wraps: the seven low bits of two do not carry into the next byte.
__host__ __device__ inline uint32_t add_bytes(uint32_t a, uint32_t b) {
  constexpr uint32_t kLow = 0x7f7f7f7f;
  return ((a & kLow) + (b & kLow)) ^ ((a ^ b) & ~kLow);
}

__host__ __device__ inline uint32_t subtract_bytes(uint32_t a, uint32_t b) {
  constexpr uint32_t kLow = 0x7f7f7f7f;
  return ((a | ~kLow) - (b & kLow)) ^ ((a ^ ~b) & ~kLow);
}

// 1 where two bytes differ, else 0.
__host__ __device__ inline uint32_t differ_bytes(uint32_t a, uint32_t b) {
  constexpr uint32_t kLow = 0x7f7f7f7f;
  const uint32_t bits = a ^ b;
  return (((bits & kLow) + kLow) | bits) >> 7 & 0x01010101u;
}

__host__ __device__ inline uint32_t equal_bytes(uint32_t a, uint32_t b) {
  return differ_bytes(a, b) ^ 0x01010101u;
}

// Bytes of `a` where `truths` are 1, of `b` where they are 0.
__host__ __device__ inline uint32_t select_bytes(uint32_t truths, uint32_t a, uint32_t b) {
  const uint32_t mask = truths * 255;
  return (a & mask) | (b & ~mask);
}

}  // namespace sinter_helpers
