// heat2d: add, multiply, subtract over f32[32,32].
//
//   in   u         f32[32,32]
//   out  scatter   f32[32,32]
//
//   add_1 = add(slice(u), slice(u))
//   add_2 = add(add_1, slice(u))
//   add_3 = add(add_2, slice(u))
//   mul_1 = multiply(slice(u), 4)
//   sub   = subtract(add_3, mul_1)
//   mul_2 = multiply(sub, 0.2)
//   add_4 = add(slice(u), mul_2)
//
// 32 blocks of 32 threads. Reads 4.1 kB, writes 4.1 kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace heat2d_kernels {
namespace {

constexpr int kElements = 1024;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
heat2d(const float* __restrict__ u, float* __restrict__ scatter) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int row = element / 32;
  const int column = element % 32;

  const float u_value = u[element];
  float scatter_1 = u_value;
  if (row >= 1 && row < 31 && column >= 1 && column < 31) {
    const float add = u[element - 32] + u[element + 32] + u[element - 1];
    scatter_1 = fmaf(fmaf(-u_value, 4.0f, add + u[element + 1]), 0.2f, u_value);
  }

  scatter[element] = scatter_1;
}

}  // namespace

cudaError_t
launch_heat2d(const float* u, float* scatter, cudaStream_t stream) {
  return launch(heat2d, {.grid = kElements / kThreads, .block = kThreads}, stream, u, scatter);
}

}  // namespace heat2d_kernels
