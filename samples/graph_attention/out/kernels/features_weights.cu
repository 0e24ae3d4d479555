// features_weights: dot over f32[60,16].
//
//   in   features               f32[60,16]
//   in   weights                f32[2,16,16]
//   out  features_weights_out   f32[60,16]
//
//   features_weights_out = dot(features, weights[0,:,:])
//
// 4 blocks of 256 threads, a tile of 16 x 16 each. Reads 4.9 kB, writes 3.8 kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace graph_attention_kernels::features_weights {
namespace {

constexpr int kM = 60;
constexpr int kN = 16;
constexpr int kK = 16;
constexpr int kTile = 16;
constexpr int kThreads = kTile * kTile;
constexpr int kRowTiles = (kM + kTile - 1) / kTile;  // 4
constexpr int kColumnTiles = kN / kTile;             // 1

static_assert(kN % kTile == 0 && kK % kTile == 0, "tiles are whole");

struct Shared {
  float lhs[kTile][kTile];
  float rhs[kTile][kTile];
};

__global__ void __launch_bounds__(kThreads)
features_weights(const float* __restrict__ features,
                 const float* __restrict__ weights,
                 float* __restrict__ features_weights_out) {
  Shared& shared = block_shared<Shared>();
  const int ty = threadIdx.x / kTile;
  const int tx = threadIdx.x % kTile;
  const int row = blockIdx.y * kTile + ty;
  const int column = blockIdx.x * kTile + tx;

  // features_weights: a tile of each operand, zero outside
  float sum = 0.0f;
  shared.lhs[ty][tx] = row < kM ? features[row * kK + tx] : 0.0f;
  shared.rhs[ty][tx] = weights[ty * kN + column];
  __syncthreads();
#pragma unroll
  for (int k = 0; k < kTile; ++k) sum = fmaf(shared.lhs[ty][k], shared.rhs[k][tx], sum);

  if (row >= kM) return;

  features_weights_out[row * kN + column] = sum;
}

}  // namespace

cudaError_t
enqueue(const float* features, const float* weights, float* features_weights_out,
        cudaStream_t stream) {
  return launch(features_weights,
                {.grid = dim3(kColumnTiles, kRowTiles), .block = kThreads},
                stream, features, weights, features_weights_out);
}

}  // namespace graph_attention_kernels::features_weights
