// dense_2: 2 computations, in one launch whose last block to finish goes on alone.
//
//   relu   2 blocks     dot, add, maximum over f32[16,32]
//   y      last block   dot over f32[16,10]
//
// 2 blocks of 256 threads.

#include "kernels.h"

#include "device/last_block.cuh"
#include "device/launch.cuh"
#include "device/maximum.cuh"

namespace mlp_mnist_kernels::dense_2 {
namespace {

// relu: dot, add, maximum over f32[16,32].
//
//   in   layer2_b   f32[32]
//   in   layer2_w   f32[48,32]
//   in   relu_in    f32[16,48]
//   out  relu_2     f32[16,32]
//
//   sum    = dot(relu_in, layer2_w)
//   relu_2 = maximum(sum + layer2_b, 0)
//
// 2 blocks of 256 threads, a tile of 16 x 16 each. Reads 9.3 kB, writes 2.0 kB.
namespace relu {

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

// Not __restrict__: other parts of the launch read relu_2.
__device__ void run(int block, const Dense2Arrays::ReluArrays& arrays) {
  const float* __restrict__ layer2_b = arrays.layer2_b;
  const float* __restrict__ layer2_w = arrays.layer2_w;
  const float* __restrict__ relu_in = arrays.relu_in;
  float* relu_2 = arrays.relu_2;
  Shared& shared = block_shared<Shared>();
  const int ty = threadIdx.x / kTile;
  const int tx = threadIdx.x % kTile;
  const int row = blockIdx.y * kTile + ty;
  const int column = block * kTile + tx;

  // y: operands a tile at a time
  float sum = 0.0f;
  for (int step = 0; step < kSteps; ++step) {
    const int lhs_k = step * kTile + tx;
    const int rhs_k = step * kTile + ty;
    shared.lhs[ty][tx] = relu_in[row * kK + lhs_k];
    shared.rhs[ty][tx] = layer2_w[rhs_k * kN + column];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kTile; ++k) sum = fmaf(shared.lhs[ty][k], shared.rhs[k][tx], sum);
    __syncthreads();
  }

  relu_2[row * kN + column] = maximum(sum + layer2_b[column], 0.0f);
}

}  // namespace relu

// y: dot over f32[16,10].
//
//   in   layer3_w   f32[32,10]
//   in   relu_2     f32[16,32]
//   out  y_out      f32[16,10]
//
//   y_out = dot(relu_2, layer3_w)
//
// One block of 256 threads. Reads 3.3 kB, writes 640 B.
namespace y {

constexpr int kRows = 16;
constexpr int kColumns = 10;
constexpr int kElements = kRows * kColumns;  // 160
constexpr int kTerms = 32;
constexpr int kThreads = 256;

static_assert(kElements <= kThreads, "the one block has all elements");

// No pointer is __restrict__: other parts of the launch write relu_2.
__device__ void run(const Dense2Arrays::YArrays& arrays) {
  const auto& [layer3_w, relu_2, y_out] = arrays;
  const int element = threadIdx.x;
  if (element >= kElements) return;
  const int row = element / kColumns;
  const int column = element % kColumns;

  float y = 0.0f;
  for (int k = 0; k < kTerms; ++k) {
    y = fmaf(relu_2[row * kTerms + k], layer3_w[k * kColumns + column], y);
  }

  y_out[element] = y;
}

}  // namespace y

constexpr int kThreads = 256;
constexpr int kBlocks = relu::kBlocks;

__global__ void __launch_bounds__(kThreads)
dense_2(const __grid_constant__ Dense2Arrays arrays) {
  const int block = blockIdx.x;
  relu::run(block, arrays.relu);

  // The block that finishes last sees what all have stored, and goes on alone.
  if (!is_last_block(arrays.finished)) return;
  y::run(arrays.y);
}

}  // namespace

cudaError_t
enqueue(const Dense2Arrays& arrays, cudaStream_t stream) {
  return launch(dense_2, {.grid = kBlocks, .block = kThreads}, stream, arrays);
}

}  // namespace mlp_mnist_kernels::dense_2
