// Floats as TF32, which have 11 bits of significand, for products on tensor cores (device/mma.cuh).
#pragma once

#include "device/launch.cuh"
#include "device/vector_access.cuh"

inline namespace sinter_helpers {

// x rounded to nearest, ties away from zero; the bits of a float. NaNs stay NaNs.
__device__ __forceinline__ uint32_t to_tf32(float x) {
#ifdef SINTER_CPU
  const uint32_t bits = __float_as_uint(x);
  return fabsf(x) < INFINITY ? (bits + 0x1000) & 0xffffe000 : bits;
#else
  uint32_t tf32;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(tf32) : "f"(x));
  return tf32;
#endif
}

// x = big + small, both TF32, within 2^-22 of x. Adding to the bits rounds; it would lose a NaN,
// which `small` still is then. An infinite x gives NaN.
__device__ __forceinline__ uint32_t big_part(float x) {
  return (__float_as_uint(x) + 0x1000) & 0xffffe000;
}
__device__ __forceinline__ uint32_t small_part(float x, uint32_t big) {
  return __float_as_uint(x - __uint_as_float(big));
}
// Of the bits of a float.
__device__ __forceinline__ void split_tf32(uint32_t bits, uint32_t& big, uint32_t& small) {
  big = big_part(__uint_as_float(bits));
  small = small_part(__uint_as_float(bits), big);
}

// Four neighbours in shared memory: large parts stay in place, small ones go to `small`.
__device__ __forceinline__ void split_chunk(float* chunk, float* small) {
  Vector<float, 4> big = load_vector<4>(chunk), rest;
#pragma unroll
  for (int e = 0; e < 4; ++e) {
    const float x = big[e];
    const uint32_t bits = big_part(x);
    big[e] = __uint_as_float(bits);
    rest[e] = __uint_as_float(small_part(x, bits));
  }
  store_vector(chunk, big);
  store_vector(small, rest);
}

// sum += part
template <int N>
__device__ __forceinline__ void add_part(float (&sum)[N][4], const float (&part)[N][4]) {
#pragma unroll
  for (int i = 0; i < N * 4; ++i) sum[i / 4][i % 4] += part[i / 4][i % 4];
}

// sum += part; part = 0
template <int M, int N>
__device__ __forceinline__ void add_and_clear(float (&sum)[M][N][4], float (&part)[M][N][4]) {
#pragma unroll
  for (int i = 0; i < M * N * 4; ++i) {
    sum[i / (N * 4)][i / 4 % N][i % 4] += part[i / (N * 4)][i / 4 % N][i % 4];
    part[i / (N * 4)][i / 4 % N][i % 4] = 0.0f;
  }
}

}  // namespace sinter_helpers
