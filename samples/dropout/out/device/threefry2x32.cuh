// threefry2x32(k0, k1, x0, x1): two random words, the hash of a counter (x0, x1) under a key (k0,
// k1). It is all that JAX's random numbers are made of: element i of an array draws the words of
// counter i, and a key is split into the words of a few counters.
//
// Threefry-2x32 with 20 rounds, of Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy
// as 1, 2, 3" (2011), whose rotations and parity constant these are.
#pragma once

#include <cstdint>

#include "device/launch.cuh"
#include "device/rotate_left.cuh"

inline namespace sinter_eb34b753 {

struct Threefry2x32 {
  uint32_t first;
  uint32_t second;
};

// A round for each rotation.
template <int... kRotations>
__host__ __device__ inline void threefry_rounds(uint32_t& x0, uint32_t& x1) {
  ((x0 += x1, x1 = rotate_left(x1, kRotations) ^ x0), ...);
}

__host__ __device__ inline Threefry2x32 threefry2x32(uint32_t k0, uint32_t k1, uint32_t x0,
                                                     uint32_t x1) {
  const uint32_t k2 = k0 ^ k1 ^ 0x1BD11BDAu;  // the parity: not all of the three are zero
  x0 += k0;
  x1 += k1;
  // After every four rounds two of the keys, in turn, and a count that keeps the groups apart.
  threefry_rounds<13, 15, 26, 6>(x0, x1);
  x0 += k1;
  x1 += k2 + 1;
  threefry_rounds<17, 29, 16, 24>(x0, x1);
  x0 += k2;
  x1 += k0 + 2;
  threefry_rounds<13, 15, 26, 6>(x0, x1);
  x0 += k0;
  x1 += k1 + 3;
  threefry_rounds<17, 29, 16, 24>(x0, x1);
  x0 += k1;
  x1 += k2 + 4;
  threefry_rounds<13, 15, 26, 6>(x0, x1);
  x0 += k2;
  x1 += k0 + 5;
  return {x0, x1};
}

}  // namespace sinter_eb34b753
