// degrees: 2 computations, in one launch that divides its blocks among them.
//
//   degrees_2          8 blocks   reduce, add, compare, select over s32[60]
//   features_weights   4 blocks   dot over f32[60,16]
//
// 12 blocks of 256 threads.

#include "kernels.h"

#include "device/combine.cuh"
#include "device/launch.cuh"
#include "device/vector_access.cuh"
#include "device/warp_reduce.cuh"

namespace graph_attention_kernels::degrees {
namespace {

// degrees_2: reduce, add, compare, select over s32[60].
//
//   in   receivers     s32[500]
//   out  degrees_out   s32[60]
//
//   is_equal    = iota({0}) == select(receivers < 0, receivers + 60, receivers)
//   degrees_out = reduce(select(is_equal, 1, 0), 0), dimensions={1}, to_apply=add
//
// A row a warp, 8 rows a block of 256 threads. Reads 2.0 kB, writes 240 B.
namespace degrees_2 {

constexpr int kRows = 60;
constexpr int kColumns = 500;
constexpr int kThreads = 256;
constexpr int kWarp = 32;  // lanes, one row a warp
constexpr int kRowsPerBlock = kThreads / kWarp;
constexpr int kWidth = 4;  // neighbours, in one access
constexpr int kBlocks = (kRows + kRowsPerBlock - 1) / kRowsPerBlock;

static_assert(kColumns % kWidth == 0, "a row is made of whole groups of neighbours");

__device__ void run(int block, const DegreesArrays::Degrees2Arrays& arrays) {
  const int* __restrict__ receivers = arrays.receivers;
  int* __restrict__ degrees_out = arrays.degrees_out;
  const int row = block * kRowsPerBlock + threadIdx.x / kWarp;
  const int lane = threadIdx.x % kWarp;
  if (row >= kRows) return;

  // degrees
  int degrees = 0;
  for (int first_column = lane * kWidth; first_column < kColumns; first_column += kWarp * kWidth) {
    const Vector<int, kWidth> receivers_vector = load_vector<kWidth>(receivers + first_column);
#pragma unroll
    for (int i = 0; i < kWidth; ++i) {
      const int receivers_value = receivers_vector[i];
      const bool is_equal = row == (receivers_value < 0 ? receivers_value + 60 : receivers_value);
      degrees += is_equal ? 1 : 0;
    }
  }
  degrees = warp_reduce(degrees, Add());

  if (lane == 0) degrees_out[row] = degrees;
}

}  // namespace degrees_2

// features_weights: dot over f32[60,16].
//
//   in   features               f32[60,16]
//   in   weights                f32[2,16,16]
//   out  features_weights_out   f32[60,16]
//
//   features_weights_out = dot(features, weights[0,:,:])
//
// 4 blocks of 256 threads, a tile of 16 x 16 each. Reads 4.9 kB, writes 3.8 kB.
namespace features_weights {

constexpr int kM = 60;
constexpr int kN = 16;
constexpr int kK = 16;
constexpr int kTile = 16;
constexpr int kRowTiles = (kM + kTile - 1) / kTile;  // 4
constexpr int kColumnTiles = kN / kTile;             // 1
constexpr int kBlocks = kColumnTiles * kRowTiles;

static_assert(kN % kTile == 0 && kK % kTile == 0, "tiles are whole");

struct Shared {
  float lhs[kTile][kTile];
  float rhs[kTile][kTile];
};

__device__ void run(int block, const DegreesArrays::FeaturesWeightsArrays& arrays) {
  const float* __restrict__ features = arrays.features;
  const float* __restrict__ weights = arrays.weights;
  float* __restrict__ features_weights_out = arrays.features_weights_out;
  const int block_x = block % kColumnTiles;
  const int block_y = block / kColumnTiles;
  Shared& shared = block_shared<Shared>();
  const int ty = threadIdx.x / kTile;
  const int tx = threadIdx.x % kTile;
  const int row = block_y * kTile + ty;
  const int column = block_x * kTile + tx;

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

}  // namespace features_weights

constexpr int kThreads = 256;
constexpr int kBlocks = degrees_2::kBlocks + features_weights::kBlocks;

__global__ void __launch_bounds__(kThreads)
degrees(const __grid_constant__ DegreesArrays arrays) {
  int block = blockIdx.x;
  if (block < degrees_2::kBlocks) {
    degrees_2::run(block, arrays.degrees_2);
    return;
  }
  block -= degrees_2::kBlocks;
  features_weights::run(block, arrays.features_weights);
}

}  // namespace

cudaError_t
enqueue(const DegreesArrays& arrays, cudaStream_t stream) {
  return launch(degrees, {.grid = kBlocks, .block = kThreads}, stream, arrays);
}

}  // namespace graph_attention_kernels::degrees
