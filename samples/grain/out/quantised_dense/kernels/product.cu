// product: dot, divide, round-nearest-even, multiply, convert over f32[32,48].
//
//   in   x         f32[32,64]
//   in   w         s8[64,48]
//   in   w_scale   f32[48]
//   in   scale     f32[32]
//   out  y         f32[32,48]
//
//   q   = round-nearest-even(x / broadcast(scale / 127))
//   sum = dot(s8(q), w)
//   y   = f32(sum) * broadcast(scale / 127) * w_scale
//
// 6 blocks of 256 threads, a tile of 16 x 16 each. Reads 11.6 kB, writes 6.1 kB.

#include "kernels.h"

#include "device/divisor.cuh"
#include "device/launch.cuh"
#include "device/saturate_cast.cuh"

namespace quantised_dense_kernels::product {
namespace {

constexpr int kM = 32;
constexpr int kN = 48;
constexpr int kK = 64;
constexpr int kTile = 16;
constexpr int kThreads = kTile * kTile;
constexpr int kSteps = kK / kTile;        // 4
constexpr int kRowTiles = kM / kTile;     // 2
constexpr int kColumnTiles = kN / kTile;  // 3

static_assert(kM % kTile == 0 && kN % kTile == 0 && kK % kTile == 0, "tiles are whole");

struct Shared {
  int lhs[kTile][kTile];
  int rhs[kTile][kTile];
};

__global__ void __launch_bounds__(kThreads)
product(const float* __restrict__ x,
        const int8_t* __restrict__ w,
        const float* __restrict__ w_scale,
        const float* __restrict__ scale,
        float* __restrict__ y) {
  Shared& shared = block_shared<Shared>();
  const int ty = threadIdx.x / kTile;
  const int tx = threadIdx.x % kTile;
  const int row = blockIdx.y * kTile + ty;
  const int column = blockIdx.x * kTile + tx;

  // product: operands a tile at a time
  int sum = 0;
  for (int step = 0; step < kSteps; ++step) {
    const int lhs_k = step * kTile + tx;
    const int rhs_k = step * kTile + ty;
    const float q = rintf(x[row * kK + lhs_k] / (scale[row] / Divisor(127.0f)));
    shared.lhs[ty][tx] = int(saturate_cast<int8_t>(q));
    shared.rhs[ty][tx] = int(w[rhs_k * kN + column]);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kTile; ++k) sum += shared.lhs[ty][k] * shared.rhs[k][tx];
    __syncthreads();
  }

  y[row * kN + column] = float(sum) * (scale[row] / Divisor(127.0f)) * w_scale[column];
}

}  // namespace

cudaError_t
enqueue(const float* x, const int8_t* w, const float* w_scale, const float* scale, float* y,
        cudaStream_t stream) {
  return launch(product, {.grid = dim3(kColumnTiles, kRowTiles), .block = kThreads}, stream,
                x, w, w_scale, scale, y);
}

}  // namespace quantised_dense_kernels::product
