// full: triangular-solve, compare, select over f32[48,17].
//
//   in   factor     f32[48,48]
//   in   half       f32[48,17]
//   out  full_out   f32[48,17]
//
//   full_out = triangular-solve(select(iota({0}) >= iota({1}), factor, 0), half)
//
// A matrix a block of 256 threads. Reads 12.5 kB, writes 3.3 kB.

#include "kernels.h"

#include "device/launch.cuh"
#include "device/team.cuh"
#include "device/triangular_solve.cuh"

namespace cholesky_solve_kernels::full {
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
full(const float* __restrict__ factor,
     const float* __restrict__ half,
     float* __restrict__ full_out) {
  Shared& shared = block_shared<Shared>();
  const int warp = threadIdx.x / kWarp;
  const int lane = threadIdx.x % kWarp;

  for (int row = warp; row < kSize; row += kWarps) {
    for (int column = lane; column < kSize; column += kWarp) {
      shared.matrix[column][row] = row >= column ? factor[row * kSize + column] : 0.0f;
    }
  }
  for (int row = warp; row < kSize; row += kWarps) {
    for (int column = lane; column < kRightSides; column += kWarp) {
      shared.solution[row][column] = half[row * kRightSides + column];
    }
  }
  __syncthreads();

  solve_triangular<BlockTeam<kThreads>, /*lower=*/false, /*unit_diagonal=*/false>(shared.matrix,
                                                                                  shared.solution,
                                                                                  kRightSides);

  for (int row = warp; row < kSize; row += kWarps) {
    for (int column = lane; column < kRightSides; column += kWarp) {
      full_out[row * kRightSides + column] = shared.solution[row][column];
    }
  }
}

}  // namespace

cudaError_t
enqueue(const float* factor, const float* half, float* full_out, cudaStream_t stream) {
  return launch(full, {.grid = 1, .block = kThreads}, stream, factor, half, full_out);
}

}  // namespace cholesky_solve_kernels::full
