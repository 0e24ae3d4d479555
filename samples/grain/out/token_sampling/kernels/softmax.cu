// softmax: reduce, exponential, subtract over f32[8].
//
//   in   topk_2    f32[8,40]
//   out  top_out   f32[8]
//   out  p_out     f32[8]
//
//   top_out = reduce(topk_2, -inf), dimensions={1}, to_apply=maximum
//   p_out   = reduce(exponential(topk_2 - broadcast(top_out)), 0), dimensions={1}, to_apply=add
//
// A row a warp, 4 rows a block of 128 threads. Reads 1.3 kB, writes 64 B.

#include "kernels.h"

#include "device/combine.cuh"
#include "device/launch.cuh"
#include "device/maximum.cuh"
#include "device/vector_access.cuh"
#include "device/warp_reduce.cuh"

namespace token_sampling_kernels::softmax {
namespace {

constexpr int kRows = 8;
constexpr int kColumns = 40;
constexpr int kThreads = 128;
constexpr int kWarp = 32;  // lanes, one row a warp
constexpr int kRowsPerBlock = kThreads / kWarp;
constexpr int kWidth = 2;                                                                // neighbours, in one access
constexpr int kPerThread = (kColumns + kWarp * kWidth - 1) / (kWarp * kWidth) * kWidth;  // 2

static_assert(kColumns % kWidth == 0, "a row is made of whole groups of neighbours");
static_assert(kRows % kRowsPerBlock == 0, "the grid covers the rows exactly");

__global__ void __launch_bounds__(kThreads)
softmax(const float* __restrict__ topk_2, float* __restrict__ top_out, float* __restrict__ p_out) {
  const int row = blockIdx.x * kRowsPerBlock + threadIdx.x / kWarp;
  const int lane = threadIdx.x % kWarp;

  // top
  float top = -INFINITY;
  float topk_2_values[kPerThread];
#pragma unroll
  for (int k = 0; k < kPerThread; k += kWidth) {
    const int first_column = k * kWarp + lane * kWidth;
    if (first_column < kColumns) {
      const Vector<float, kWidth> topk_2_vector =
          load_vector<kWidth>(topk_2 + (row * kColumns + first_column));
#pragma unroll
      for (int i = 0; i < kWidth; ++i) {
        topk_2_values[k + i] = topk_2_vector[i];
        top = maximum(top, topk_2_values[k + i]);
      }
    }
  }
  top = warp_reduce(top, Maximum());

  // p
  float p = 0.0f;
#pragma unroll
  for (int k = 0; k < kPerThread; k += kWidth) {
    const int first_column = k * kWarp + lane * kWidth;
    if (first_column < kColumns) {
#pragma unroll
      for (int i = 0; i < kWidth; ++i) p += expf(topk_2_values[k + i] - top);
    }
  }
  p = warp_reduce(p, Add());

  if (lane == 0) {
    top_out[row] = top;
    p_out[row] = p;
  }
}

}  // namespace

cudaError_t
enqueue(const float* topk_2, float* top_out, float* p_out, cudaStream_t stream) {
  return launch(softmax, {.grid = kRows / kRowsPerBlock, .block = kThreads}, stream,
                topk_2, top_out, p_out);
}

}  // namespace token_sampling_kernels::softmax
