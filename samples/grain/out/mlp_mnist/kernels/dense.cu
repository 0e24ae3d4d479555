// dense: dot, add, maximum over f32[16,48].
//
//   in   layer1_b   f32[48]
//   in   layer1_w   f32[64,48]
//   in   images     f32[16,64]
//   out  relu       f32[16,48]
//
//   sum  = dot(images, layer1_w)
//   relu = maximum(sum + layer1_b, 0)
//
// 3 blocks of 256 threads, a tile of 16 x 16 each. Reads 16.6 kB, writes 3.1 kB.

#include "kernels.h"

#include "device/launch.cuh"
#include "device/maximum.cuh"

namespace mlp_mnist_kernels::dense {
namespace {

constexpr int kM = 16;
constexpr int kN = 48;
constexpr int kK = 64;
constexpr int kTile = 16;
constexpr int kThreads = kTile * kTile;
constexpr int kSteps = kK / kTile;        // 4
constexpr int kRowTiles = kM / kTile;     // 1
constexpr int kColumnTiles = kN / kTile;  // 3

static_assert(kM % kTile == 0 && kN % kTile == 0 && kK % kTile == 0, "tiles are whole");

struct Shared {
  float lhs[kTile][kTile];
  float rhs[kTile][kTile];
};

__global__ void __launch_bounds__(kThreads)
dense(const float* __restrict__ layer1_b,
      const float* __restrict__ layer1_w,
      const float* __restrict__ images,
      float* __restrict__ relu) {
  Shared& shared = block_shared<Shared>();
  const int ty = threadIdx.x / kTile;
  const int tx = threadIdx.x % kTile;
  const int row = blockIdx.y * kTile + ty;
  const int column = blockIdx.x * kTile + tx;

  // y: operands a tile at a time
  float sum = 0.0f;
  for (int step = 0; step < kSteps; ++step) {
    const int lhs_k = step * kTile + tx;
    const int rhs_k = step * kTile + ty;
    shared.lhs[ty][tx] = images[row * kK + lhs_k];
    shared.rhs[ty][tx] = layer1_w[rhs_k * kN + column];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kTile; ++k) sum = fmaf(shared.lhs[ty][k], shared.rhs[k][tx], sum);
    __syncthreads();
  }

  relu[row * kN + column] = maximum(sum + layer1_b[column], 0.0f);
}

}  // namespace

cudaError_t
enqueue(const float* layer1_b, const float* layer1_w, const float* images, float* relu,
        cudaStream_t stream) {
  return launch(dense, {.grid = dim3(kColumnTiles, kRowTiles), .block = kThreads}, stream,
                layer1_b, layer1_w, images, relu);
}

}  // namespace mlp_mnist_kernels::dense
