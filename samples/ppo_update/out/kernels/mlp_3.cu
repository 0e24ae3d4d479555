// mlp_3: 2 computations, in one launch whose last block to finish goes on alone.
//
//   mlp_9     2 blocks     dot, tanh, add over f32[32,16]
//   dense_2   last block   dot over f32[32,3]
//
// 2 blocks of 256 threads.

#include "kernels.h"

#include "device/last_block.cuh"
#include "device/launch.cuh"

namespace ppo_update_kernels::mlp_3 {
namespace {

// mlp_9: dot, tanh, add over f32[32,16].
//
//   in   params_policy_1_b   f32[16]
//   in   params_policy_1_w   f32[16,16]
//   in   x_2                 f32[32,16]
//   out  x_4                 f32[32,16]
//
//   sum = dot(x_2, params_policy_1_w)
//   x_4 = tanh(sum + params_policy_1_b)
//
// 2 blocks of 256 threads, a tile of 16 x 16 each. Reads 3.1 kB, writes 2.0 kB.
namespace mlp_9 {

constexpr int kM = 32;
constexpr int kN = 16;
constexpr int kK = 16;
constexpr int kTile = 16;
constexpr int kRowTiles = kM / kTile;     // 2
constexpr int kColumnTiles = kN / kTile;  // 1
constexpr int kBlocks = kColumnTiles * kRowTiles;

static_assert(kM % kTile == 0 && kN % kTile == 0 && kK % kTile == 0, "tiles are whole");

struct Shared {
  float lhs[kTile][kTile];
  float rhs[kTile][kTile];
};

// Not __restrict__: other parts of the launch read x_4.
__device__ void run(int block, const Mlp3Arrays::Mlp9Arrays& arrays) {
  const float* __restrict__ params_policy_1_b = arrays.params_policy_1_b;
  const float* __restrict__ params_policy_1_w = arrays.params_policy_1_w;
  const float* __restrict__ x_2 = arrays.x_2;
  float* x_4 = arrays.x_4;
  const int block_x = block % kColumnTiles;
  const int block_y = block / kColumnTiles;
  Shared& shared = block_shared<Shared>();
  const int ty = threadIdx.x / kTile;
  const int tx = threadIdx.x % kTile;
  const int row = block_y * kTile + ty;
  const int column = block_x * kTile + tx;

  // x_part: a tile of each operand
  float sum = 0.0f;
  shared.lhs[ty][tx] = x_2[row * kK + tx];
  shared.rhs[ty][tx] = params_policy_1_w[ty * kN + column];
  __syncthreads();
#pragma unroll
  for (int k = 0; k < kTile; ++k) sum = fmaf(shared.lhs[ty][k], shared.rhs[k][tx], sum);

  x_4[row * kN + column] = tanhf(sum + params_policy_1_b[column]);
}

}  // namespace mlp_9

// dense_2: dot over f32[32,3].
//
//   in   params_policy_2_w   f32[16,3]
//   in   x_4                 f32[32,16]
//   out  dense_2_out         f32[32,3]
//
//   dense_2_out = dot(x_4, params_policy_2_w)
//
// One block of 256 threads. Reads 2.2 kB, writes 384 B.
namespace dense_2 {

constexpr int kRows = 32;
constexpr int kColumns = 3;
constexpr int kElements = kRows * kColumns;  // 96
constexpr int kTerms = 16;
constexpr int kThreads = 256;

static_assert(kElements <= kThreads, "the one block has all elements");

// No pointer is __restrict__: other parts of the launch write x_4.
__device__ void run(const Mlp3Arrays::Dense2Arrays& arrays) {
  const auto& [params_policy_2_w, x_4, dense_2_out] = arrays;
  const int element = threadIdx.x;
  if (element >= kElements) return;
  const int row = element / kColumns;
  const int column = element % kColumns;

  float dense_2 = 0.0f;
  for (int k = 0; k < kTerms; ++k) {
    dense_2 = fmaf(x_4[row * kTerms + k], params_policy_2_w[k * kColumns + column], dense_2);
  }

  dense_2_out[element] = dense_2;
}

}  // namespace dense_2

constexpr int kThreads = 256;
constexpr int kBlocks = mlp_9::kBlocks;

__global__ void __launch_bounds__(kThreads)
mlp_3(const __grid_constant__ Mlp3Arrays arrays) {
  const int block = blockIdx.x;
  mlp_9::run(block, arrays.mlp_9);

  // The block that finishes last sees what all have stored, and goes on alone.
  if (!is_last_block(arrays.finished)) return;
  dense_2::run(arrays.dense_2);
}

}  // namespace

cudaError_t
enqueue(const Mlp3Arrays& arrays, cudaStream_t stream) {
  return launch(mlp_3, {.grid = kBlocks, .block = kThreads}, stream, arrays);
}

}  // namespace ppo_update_kernels::mlp_3
