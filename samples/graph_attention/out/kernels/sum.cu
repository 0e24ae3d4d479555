// sum: 2 computations, in one launch whose last block to finish goes on alone.
//
//   sum_3   15 blocks    reduce, gather, exponential, add, multiply, ... over f32[60]
//   ratio   last block   gather, exponential, add, multiply, subtract, ... over f32[500]
//
// 15 blocks of 128 threads.

#include "kernels.h"

#include "device/combine.cuh"
#include "device/last_block.cuh"
#include "device/launch.cuh"
#include "device/maximum.cuh"
#include "device/vector_access.cuh"
#include "device/warp_reduce.cuh"

namespace graph_attention_kernels::sum {
namespace {

// sum_3: reduce, gather, exponential, add, multiply, ... over f32[60].
//
//   in   receivers     s32[500]
//   in   dot           f32[500]
//   in   dot_1         f32[500]
//   in   scatter_max   f32[60]
//   out  sum_out       f32[60]
//
//   wrapped_receivers = select(receivers < 0, receivers + 60, receivers)
//   sum_2             = dot + dot_1
//   start             = clamp(0, wrapped_receivers, 59)
//   difference        = select(sum_2 >= 0, sum_2, 0.2 * sum_2) - gather(scatter_max, start)
//   exponential       = exponential(difference)
//   sum_out           = reduce(select(iota({0}) == receivers, exponential, 0), 0), dimensions={1},
//                       to_apply=add
//
// A row a warp, 4 rows a block of 128 threads. Reads 6.2 kB, writes 240 B.
// So for 2 sets of arrays, of one launch or of several; the names here stand for those of each.
namespace sum_3 {

constexpr int kRows = 60;
constexpr int kColumns = 500;
constexpr int kThreads = 128;
constexpr int kWarp = 32;  // lanes, one row a warp
constexpr int kRowsPerBlock = kThreads / kWarp;
constexpr int kWidth = 4;  // neighbours, in one access
constexpr int kBlocks = kRows / kRowsPerBlock;

static_assert(kColumns % kWidth == 0, "a row is made of whole groups of neighbours");
static_assert(kRows % kRowsPerBlock == 0, "the grid covers the rows exactly");

// Not __restrict__: other parts of the launch read sum_out.
__device__ void run(int block, const SumArrays::Sum3Arrays& arrays) {
  const int* __restrict__ receivers = arrays.receivers;
  const float* __restrict__ dot = arrays.dot;
  const float* __restrict__ dot_1 = arrays.dot_1;
  const float* __restrict__ scatter_max = arrays.scatter_max;
  float* sum_out = arrays.sum_out;
  const int row = block * kRowsPerBlock + threadIdx.x / kWarp;
  const int lane = threadIdx.x % kWarp;

  // sum_1
  float sum_1 = 0.0f;
  for (int first_column = lane * kWidth; first_column < kColumns; first_column += kWarp * kWidth) {
    const Vector<int, kWidth> receivers_vector = load_vector<kWidth>(receivers + first_column);
    const Vector<float, kWidth> dot_vector = load_vector<kWidth>(dot + first_column);
    const Vector<float, kWidth> dot_1_vector = load_vector<kWidth>(dot_1 + first_column);
#pragma unroll
    for (int i = 0; i < kWidth; ++i) {
      const float sum_2 = dot_vector[i] + dot_1_vector[i];
      const int receivers_value = receivers_vector[i];
      const int wrapped_receivers = receivers_value < 0 ? receivers_value + 60 : receivers_value;
      const int start = minimum(maximum(wrapped_receivers, 0), 59);
      const float exponential = expf((sum_2 >= 0.0f ? sum_2 : 0.2f * sum_2) - scatter_max[start]);
      sum_1 += row == receivers_value ? exponential : 0.0f;
    }
  }
  sum_1 = warp_reduce(sum_1, Add());

  if (lane == 0) sum_out[row] = sum_1;
}

}  // namespace sum_3

// ratio: gather, exponential, add, multiply, subtract, ... over f32[500].
//
//   in   receivers     s32[500]
//   in   dot           f32[500]
//   in   dot_1         f32[500]
//   in   scatter_max   f32[60]
//   in   sum           f32[60]
//   out  ratio_out     f32[500]
//
//   wrapped_receivers = select(receivers < 0, receivers + 60, receivers)
//   sum_1             = dot + dot_1
//   start             = clamp(0, wrapped_receivers, 59)
//   difference        = select(sum_1 >= 0, sum_1, 0.2 * sum_1) - gather(scatter_max, start)
//   exponential       = exponential(difference)
//   ratio_out         = exponential / gather(sum, start)
//
// One block of 128 threads, 4 times. Reads 6.5 kB, writes 2.0 kB.
// So for 2 sets of arrays, of one launch or of several; the names here stand for those of each.
namespace ratio {

constexpr int kElements = 500;
constexpr int kThreads = 128;
constexpr int kBlocks = (kElements + kThreads - 1) / kThreads;

// No pointer is __restrict__: other parts of the launch write sum.
__device__ void run(int block, const SumArrays::RatioArrays& arrays) {
  const auto& [receivers, dot, dot_1, scatter_max, sum, ratio_out] = arrays;
  const int element = block * kThreads + threadIdx.x;
  if (element >= kElements) return;

  const float sum_1 = dot[element] + dot_1[element];
  const int receivers_value = receivers[element];
  const int wrapped_receivers = receivers_value < 0 ? receivers_value + 60 : receivers_value;
  const int start = minimum(maximum(wrapped_receivers, 0), 59);
  const float exponential = expf((sum_1 >= 0.0f ? sum_1 : 0.2f * sum_1) - scatter_max[start]);

  ratio_out[element] = exponential / sum[start];
}

}  // namespace ratio

constexpr int kThreads = 128;
constexpr int kBlocks = sum_3::kBlocks;

__global__ void __launch_bounds__(kThreads)
sum(const __grid_constant__ SumArrays arrays) {
  const int block = blockIdx.x;
  sum_3::run(block, arrays.sum_3);

  // The block that finishes last sees what all have stored, and goes on alone.
  if (!is_last_block(arrays.finished)) return;
  for (int i = 0; i < ratio::kBlocks; ++i) ratio::run(i, arrays.ratio);
}

}  // namespace

cudaError_t
enqueue(const SumArrays& arrays, cudaStream_t stream) {
  return launch(sum, {.grid = kBlocks, .block = kThreads}, stream, arrays);
}

}  // namespace graph_attention_kernels::sum
