// mlp_2: 2 computations, in one launch whose last block to finish goes on alone.
//
//   mlp_3   2 blocks     dot, add, maximum over f32[16,32]
//   dense   last block   dot over f32[16,10]
//
// 2 blocks of 256 threads.

#include "kernels.h"

#include "device/last_block.cuh"
#include "device/launch.cuh"
#include "device/maximum.cuh"

namespace mlp_mnist_kernels::mlp_2 {
namespace {

// mlp_3: dot, add, maximum over f32[16,32].
//
//   in   params_1_b   f32[32]
//   in   params_1_w   f32[48,32]
//   in   x            f32[16,48]
//   out  x_2          f32[16,32]
//
//   sum = dot(x, params_1_w)
//   x_2 = maximum(sum + params_1_b, 0)
//
// 2 blocks of 256 threads, a tile of 16 x 16 each. Reads 9.3 kB, writes 2.0 kB.
namespace mlp_3 {

constexpr int kM = 16;
constexpr int kN = 32;
constexpr int kK = 48;
constexpr int kTile = 16;
constexpr int kSteps = kK / kTile;        // 3
constexpr int kColumnTiles = kN / kTile;  // 2
constexpr int kBlocks = kColumnTiles;

static_assert(kM % kTile == 0 && kN % kTile == 0 && kK % kTile == 0, "tiles are whole");

struct Shared {
  float lhs[kTile][kTile];
  float rhs[kTile][kTile];
};

// Not __restrict__: other parts of the launch read x_2.
__device__ void run(int block, const Mlp2Arrays::Mlp3Arrays& arrays) {
  const float* __restrict__ params_1_b = arrays.params_1_b;
  const float* __restrict__ params_1_w = arrays.params_1_w;
  const float* __restrict__ x = arrays.x;
  float* x_2 = arrays.x_2;
  Shared& shared = block_shared<Shared>();
  const int ty = threadIdx.x / kTile;
  const int tx = threadIdx.x % kTile;
  const int row = blockIdx.y * kTile + ty;
  const int column = block * kTile + tx;

  // x_w: operands a tile at a time
  float sum = 0.0f;
  for (int step = 0; step < kSteps; ++step) {
    const int lhs_k = step * kTile + tx;
    const int rhs_k = step * kTile + ty;
    shared.lhs[ty][tx] = x[row * kK + lhs_k];
    shared.rhs[ty][tx] = params_1_w[rhs_k * kN + column];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kTile; ++k) sum = fmaf(shared.lhs[ty][k], shared.rhs[k][tx], sum);
    __syncthreads();
  }

  x_2[row * kN + column] = maximum(sum + params_1_b[column], 0.0f);
}

}  // namespace mlp_3

// dense: dot over f32[16,10].
//
//   in   params_2_w   f32[32,10]
//   in   x_2          f32[16,32]
//   out  x_w_out      f32[16,10]
//
//   x_w_out = dot(x_2, params_2_w)
//
// One block of 256 threads. Reads 3.3 kB, writes 640 B.
namespace dense {

constexpr int kRows = 16;
constexpr int kColumns = 10;
constexpr int kElements = kRows * kColumns;  // 160
constexpr int kTerms = 32;
constexpr int kThreads = 256;

static_assert(kElements <= kThreads, "the one block has all elements");

// No pointer is __restrict__: other parts of the launch write x_2.
__device__ void run(const Mlp2Arrays::DenseArrays& arrays) {
  const auto& [params_2_w, x_2, x_w_out] = arrays;
  const int element = threadIdx.x;
  if (element >= kElements) return;
  const int row = element / kColumns;
  const int column = element % kColumns;

  float x_w = 0.0f;
  for (int k = 0; k < kTerms; ++k) {
    x_w = fmaf(x_2[row * kTerms + k], params_2_w[k * kColumns + column], x_w);
  }

  x_w_out[element] = x_w;
}

}  // namespace dense

constexpr int kThreads = 256;
constexpr int kBlocks = mlp_3::kBlocks;

__global__ void __launch_bounds__(kThreads)
mlp_2(const __grid_constant__ Mlp2Arrays arrays) {
  const int block = blockIdx.x;
  mlp_3::run(block, arrays.mlp_3);

  // The block that finishes last sees what all have stored, and goes on alone.
  if (!is_last_block(arrays.finished)) return;
  dense::run(arrays.dense);
}

}  // namespace

cudaError_t
enqueue(const Mlp2Arrays& arrays, cudaStream_t stream) {
  return launch(mlp_2, {.grid = kBlocks, .block = kThreads}, stream, arrays);
}

}  // namespace mlp_mnist_kernels::mlp_2
