// mlp: 2 computations, in one launch whose last block to finish goes on alone.
//
//   mlp_9     9 blocks     dot, tanh, add over f32[17,8,16]
//   dense_4   last block   dot over f32[17,8,1]
//
// 9 blocks of 256 threads.

#include "kernels.h"

#include "device/last_block.cuh"
#include "device/launch.cuh"
#include "device/vector_access.cuh"

namespace ppo_update_kernels::mlp {
namespace {

// mlp_9: dot, tanh, add over f32[17,8,16].
//
//   in   params_value_0_b   f32[16]
//   in   params_value_1_b   f32[16]
//   in   params_value_1_w   f32[16,16]
//   in   observations_w     f32[17,8,16]
//   out  x                  f32[17,8,16]
//
//   sum = dot(tanh(observations_w + params_value_0_b), params_value_1_w)
//   x   = tanh(sum + params_value_1_b)
//
// 9 blocks of 256 threads, a tile of 16 x 16 each. Reads 9.9 kB, writes 8.7 kB.
namespace mlp_9 {

constexpr int kM = 136;
constexpr int kN = 16;
constexpr int kK = 16;
constexpr int kTile = 16;
constexpr int kRowTiles = (kM + kTile - 1) / kTile;  // 9
constexpr int kColumnTiles = kN / kTile;             // 1
constexpr int kBlocks = kColumnTiles * kRowTiles;

static_assert(kN % kTile == 0 && kK % kTile == 0, "tiles are whole");

struct Shared {
  float lhs[kTile][kTile];
  float rhs[kTile][kTile];
};

// Not __restrict__: other parts of the launch read x.
__device__ void run(int block, const MlpArrays::Mlp9Arrays& arrays) {
  const float* __restrict__ params_value_0_b = arrays.params_value_0_b;
  const float* __restrict__ params_value_1_b = arrays.params_value_1_b;
  const float* __restrict__ params_value_1_w = arrays.params_value_1_w;
  const float* __restrict__ observations_w = arrays.observations_w;
  float* x = arrays.x;
  const int block_x = block % kColumnTiles;
  const int block_y = block / kColumnTiles;
  Shared& shared = block_shared<Shared>();
  const int ty = threadIdx.x / kTile;
  const int tx = threadIdx.x % kTile;
  const int row = block_y * kTile + ty;
  const int column = block_x * kTile + tx;

  // x_w: a tile of each operand, zero outside
  float sum = 0.0f;
  shared.lhs[ty][tx] = 0.0f;
  if (row < kM) shared.lhs[ty][tx] = tanhf(observations_w[row * kK + tx] + params_value_0_b[tx]);
  shared.rhs[ty][tx] = params_value_1_w[ty * kN + column];
  __syncthreads();
#pragma unroll
  for (int k = 0; k < kTile; ++k) sum = fmaf(shared.lhs[ty][k], shared.rhs[k][tx], sum);

  if (row >= kM) return;

  x[row * kN + column] = tanhf(sum + params_value_1_b[column]);
}

}  // namespace mlp_9

// dense_4: dot over f32[17,8,1].
//
//   in   params_value_2_w   f32[16,1]
//   in   x                  f32[17,8,16]
//   out  x_w_out            f32[17,8,1]
//
//   x_w_out = dot(x, params_value_2_w)
//
// One block of 256 threads. Reads 8.8 kB, writes 544 B.
namespace dense_4 {

constexpr int kElements = 136;
constexpr int kTerms = 16;
constexpr int kThreads = 256;

static_assert(kElements <= kThreads, "the one block has all elements");

// No pointer is __restrict__: other parts of the launch write x.
__device__ void run(const MlpArrays::Dense4Arrays& arrays) {
  const auto& [params_value_2_w, x, x_w_out] = arrays;
  const int element = threadIdx.x;
  if (element >= kElements) return;

  float x_w = 0.0f;
  for (int first_k = 0; first_k < kTerms; first_k += 4) {
    const Vector<float, 4> x_values = load_vector<4>(x + (element * kTerms + first_k));
    const Vector<float, 4> params_value_2_w_values = load_vector<4>(params_value_2_w + first_k);
#pragma unroll
    for (int i = 0; i < 4; ++i) x_w = fmaf(x_values[i], params_value_2_w_values[i], x_w);
  }

  x_w_out[element] = x_w;
}

}  // namespace dense_4

constexpr int kThreads = 256;
constexpr int kBlocks = mlp_9::kBlocks;

__global__ void __launch_bounds__(kThreads)
mlp(const __grid_constant__ MlpArrays arrays) {
  const int block = blockIdx.x;
  mlp_9::run(block, arrays.mlp_9);

  // The block that finishes last sees what all have stored, and goes on alone.
  if (!is_last_block(arrays.finished)) return;
  dense_4::run(arrays.dense_4);
}

}  // namespace

cudaError_t
enqueue(const MlpArrays& arrays, cudaStream_t stream) {
  return launch(mlp, {.grid = kBlocks, .block = kThreads}, stream, arrays);
}

}  // namespace ppo_update_kernels::mlp
