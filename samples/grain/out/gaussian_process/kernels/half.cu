// half: triangular-solve, exponential, multiply, compare, select over f32[48,17].
//
//   in   y          f32[48]
//   in   factor     f32[48,48]
//   in   k_2        f32[16,48]
//   out  half_out   f32[48,17]
//
//   side     = concatenate(transpose(exponential(-0.5 * k_2)), y), dimensions={1}
//   half_out = triangular-solve(select(iota({0}) >= iota({1}), factor, 0), side)
//
// A matrix a block of 256 threads. Reads 12.5 kB, writes 3.3 kB.

#include "kernels.h"

#include "device/launch.cuh"
#include "device/team.cuh"
#include "device/triangular_solve.cuh"

namespace cholesky_solve_kernels::half {
namespace {

constexpr int kSize = 48;
constexpr int kRightSides = 17;
constexpr int kPitch = kSize + 1;  // odd: a column lies in different banks
constexpr int kThreads = 256;
constexpr int kWarp = 32;                 // lanes
constexpr int kWarps = kThreads / kWarp;  // 8

struct Shared {
  float matrix[kSize][kPitch];
  float solution[kSize][kRightSides];
};

__global__ void __launch_bounds__(kThreads)
half(const float* __restrict__ y,
     const float* __restrict__ factor,
     const float* __restrict__ k_2,
     float* __restrict__ half_out) {
  Shared& shared = block_shared<Shared>();
  const int warp = threadIdx.x / kWarp;
  const int lane = threadIdx.x % kWarp;

  for (int row = warp; row < kSize; row += kWarps) {
    for (int column = lane; column < kSize; column += kWarp) {
      shared.matrix[row][column] = row >= column ? factor[row * kSize + column] : 0.0f;
    }
  }
  for (int row = warp; row < kSize; row += kWarps) {
    for (int column = lane; column < kRightSides; column += kWarp) {
      shared.solution[row][column] =
          column < kRightSides - 1 ? expf(-0.5f * k_2[column * kSize + row]) : y[row];
    }
  }
  __syncthreads();

  solve_triangular<BlockTeam<kThreads>, /*lower=*/true, /*unit_diagonal=*/false>(shared.matrix,
                                                                                 shared.solution,
                                                                                 kRightSides);

  for (int row = warp; row < kSize; row += kWarps) {
    for (int column = lane; column < kRightSides; column += kWarp) {
      half_out[row * kRightSides + column] = shared.solution[row][column];
    }
  }
}

}  // namespace

cudaError_t
enqueue(const float* y, const float* factor, const float* k_2, float* half_out,
        cudaStream_t stream) {
  return launch(half, {.grid = 1, .block = kThreads}, stream, y, factor, k_2, half_out);
}

}  // namespace cholesky_solve_kernels::half
