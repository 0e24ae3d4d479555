// scale: reduce, abs over f32[32].
//
//   in   x           f32[32,64]
//   out  scale_out   f32[32]
//
//   scale_out = reduce(abs(x), -inf), dimensions={1}, to_apply=maximum
//
// A row a warp, 4 rows a block of 128 threads. Reads 8.2 kB, writes 128 B.

#include "kernels.h"

#include "device/combine.cuh"
#include "device/launch.cuh"
#include "device/maximum.cuh"
#include "device/vector_access.cuh"
#include "device/warp_reduce.cuh"

namespace quantised_dense_kernels::scale {
namespace {

constexpr int kRows = 32;
constexpr int kColumns = 64;
constexpr int kThreads = 128;
constexpr int kWarp = 32;  // lanes, one row a warp
constexpr int kRowsPerBlock = kThreads / kWarp;
constexpr int kWidth = 2;  // neighbours, in one access

static_assert(kColumns % (kWarp * kWidth) == 0, "the threads cover a row exactly");
static_assert(kRows % kRowsPerBlock == 0, "the grid covers the rows exactly");

__global__ void __launch_bounds__(kThreads)
scale(const float* __restrict__ x, float* __restrict__ scale_out) {
  const int row = blockIdx.x * kRowsPerBlock + threadIdx.x / kWarp;
  const int lane = threadIdx.x % kWarp;

  // scale
  float scale = -INFINITY;
  for (int first_column = lane * kWidth; first_column < kColumns; first_column += kWarp * kWidth) {
    const Vector<float, kWidth> x_vector = load_vector<kWidth>(x + (row * kColumns + first_column));
#pragma unroll
    for (int i = 0; i < kWidth; ++i) scale = maximum(scale, fabsf(x_vector[i]));
  }
  scale = warp_reduce(scale, Maximum());

  if (lane == 0) scale_out[row] = scale;
}

}  // namespace

cudaError_t
enqueue(const float* x, float* scale_out, cudaStream_t stream) {
  return launch(scale, {.grid = kRows / kRowsPerBlock, .block = kThreads}, stream, x, scale_out);
}

}  // namespace quantised_dense_kernels::scale
