// factor: cholesky, exponential, multiply, add, compare, ... over f32[48,48].
//
//   in   k            f32[48,48]
//   out  factor_out   f32[48,48]
//
//   k_1        = exponential(-0.5 * k)
//   noisy      = select(broadcast(iota(), {0}) == broadcast(iota(), {1}), 0.1, 0)
//   factor_out = cholesky(k_1 + noisy)
//
// A matrix a block of 256 threads. Reads 9.2 kB, writes 9.2 kB.

#include "kernels.h"

#include "device/cholesky.cuh"
#include "device/launch.cuh"
#include "device/team.cuh"

namespace cholesky_solve_kernels::factor {
namespace {

constexpr int kSize = 48;
constexpr int kPitch = kSize + 1;  // odd: a column lies in different banks
constexpr int kThreads = 256;
constexpr int kWarp = 32;                 // lanes
constexpr int kWarps = kThreads / kWarp;  // 8

struct Shared {
  float matrix[kSize][kPitch];
};

__global__ void __launch_bounds__(kThreads)
factor(const float* __restrict__ k, float* __restrict__ factor_out) {
  Shared& shared = block_shared<Shared>();
  const int warp = threadIdx.x / kWarp;
  const int lane = threadIdx.x % kWarp;

  for (int row = warp; row < kSize; row += kWarps) {
    for (int column = lane; column < kSize; column += kWarp) {
      const float k_1 = expf(-0.5f * k[row * kSize + column]);
      shared.matrix[row][column] = k_1 + (row == column ? 0.1f : 0.0f);
    }
  }
  __syncthreads();

  const int failed = factor_cholesky<BlockTeam<kThreads>>(shared.matrix);

  for (int row = warp; row < kSize; row += kWarps) {
    for (int column = lane; column < kSize; column += kWarp) {
      factor_out[row * kSize + column] =
          failed != 0 ? NAN : (column <= row ? shared.matrix[row][column] : 0.0f);
    }
  }
}

}  // namespace

cudaError_t
enqueue(const float* k, float* factor_out, cudaStream_t stream) {
  return launch(factor, {.grid = 1, .block = kThreads}, stream, k, factor_out);
}

}  // namespace cholesky_solve_kernels::factor
