// threefry_split: threefry2x32, convert over u32[2,2].
//
//   in   key     u32[2]
//   out  stack   u32[2,2]
//
//   threefry_split = threefry2x32(key[0], key[1], 0, u32(iota()))
//   stack          = concatenate(threefry_split.first, threefry_split.second), dimensions={1}
//
// One block of 32 threads. Reads 8 B, writes 16 B.

#include "kernels.h"

#include "device/launch.cuh"
#include "device/rotate_left.cuh"

namespace ppo_update_kernels {
namespace {

constexpr int kElements = 4;
constexpr int kThreads = 32;

struct Threefry2x32 {
  uint32_t first;
  uint32_t second;
};

// One element of threefry2x32.
__device__ Threefry2x32 threefry2x32(uint32_t k0, uint32_t k1, uint32_t x0, uint32_t x1) {
  x1 += k1;
  x0 += k0 + x1;
  x1 = x0 ^ rotate_left(x1, 13);
  x0 += x1;
  x1 = x0 ^ rotate_left(x1, 15);
  x0 += x1;
  x1 = x0 ^ rotate_left(x1, 26);
  x0 += x1;
  const uint32_t k2 = k0 ^ k1 ^ 0x1bd11bdau;
  x1 = (x0 ^ rotate_left(x1, 6)) + k2 + 1u;
  x0 += k1 + x1;
  x1 = x0 ^ rotate_left(x1, 17);
  x0 += x1;
  x1 = x0 ^ rotate_left(x1, 29);
  x0 += x1;
  x1 = x0 ^ rotate_left(x1, 16);
  x0 += x1;
  x1 = (x0 ^ rotate_left(x1, 24)) + k0 + 2u;
  x0 += k2 + x1;
  x1 = x0 ^ rotate_left(x1, 13);
  x0 += x1;
  x1 = x0 ^ rotate_left(x1, 15);
  x0 += x1;
  x1 = x0 ^ rotate_left(x1, 26);
  x0 += x1;
  x1 = (x0 ^ rotate_left(x1, 6)) + k1 + 3u;
  x0 += k0 + x1;
  x1 = x0 ^ rotate_left(x1, 17);
  x0 += x1;
  x1 = x0 ^ rotate_left(x1, 29);
  x0 += x1;
  x1 = x0 ^ rotate_left(x1, 16);
  x0 += x1;
  x1 = (x0 ^ rotate_left(x1, 24)) + k2 + 4u;
  x0 += k1 + x1;
  x1 = x0 ^ rotate_left(x1, 13);
  x0 += x1;
  x1 = x0 ^ rotate_left(x1, 15);
  x0 += x1;
  x1 = x0 ^ rotate_left(x1, 26);
  x0 += x1;
  return {x0 + k2, (x0 ^ rotate_left(x1, 6)) + k0 + 5u};
}

__global__ void __launch_bounds__(kThreads)
threefry_split(const uint32_t* __restrict__ key, uint32_t* __restrict__ stack) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  if (element >= kElements) return;
  const int row = element / 2;
  const int column = element % 2;

  stack[element] = column == 0 ? threefry2x32(key[0], key[1], 0u, uint32_t(row)).first
                               : threefry2x32(key[0], key[1], 0u, uint32_t(row)).second;
}

}  // namespace

cudaError_t
launch_threefry_split(const uint32_t* key, uint32_t* stack, cudaStream_t stream) {
  return launch(threefry_split,
                {.grid = (kElements + kThreads - 1) / kThreads, .block = kThreads},
                stream, key, stack);
}

}  // namespace ppo_update_kernels
