// step: dot over f32[12,4,96].
//
//   in   params_x_w   f32[16,96]
//   in   xs           f32[12,4,16]
//   out  xs_w_out     f32[12,4,96]
//
//   xs_w_out = dot(xs, params_x_w)
//
// 18 blocks of 256 threads, a tile of 16 x 16 each. Reads 9.2 kB, writes 18.4 kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace lstm_kernels::step {
namespace {

constexpr int kM = 48;
constexpr int kN = 96;
constexpr int kK = 16;
constexpr int kTile = 16;
constexpr int kThreads = kTile * kTile;
constexpr int kRowTiles = kM / kTile;     // 3
constexpr int kColumnTiles = kN / kTile;  // 6

static_assert(kM % kTile == 0 && kN % kTile == 0 && kK % kTile == 0, "tiles are whole");

struct Shared {
  float lhs[kTile][kTile];
  float rhs[kTile][kTile];
};

__global__ void __launch_bounds__(kThreads)
step(const float* __restrict__ params_x_w,
     const float* __restrict__ xs,
     float* __restrict__ xs_w_out) {
  Shared& shared = block_shared<Shared>();
  const int ty = threadIdx.x / kTile;
  const int tx = threadIdx.x % kTile;
  const int row = blockIdx.y * kTile + ty;
  const int column = blockIdx.x * kTile + tx;

  // xs_w: a tile of each operand
  float sum = 0.0f;
  shared.lhs[ty][tx] = xs[row * kK + tx];
  shared.rhs[ty][tx] = params_x_w[ty * kN + column];
  __syncthreads();
#pragma unroll
  for (int k = 0; k < kTile; ++k) sum = fmaf(shared.lhs[ty][k], shared.rhs[k][tx], sum);

  xs_w_out[row * kN + column] = sum;
}

}  // namespace

cudaError_t
enqueue(const float* params_x_w, const float* xs, float* xs_w_out, cudaStream_t stream) {
  return launch(step, {.grid = dim3(kColumnTiles, kRowTiles), .block = kThreads}, stream,
                params_x_w, xs, xs_w_out);
}

}  // namespace lstm_kernels::step
