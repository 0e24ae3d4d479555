// sum_2: reduce, multiply, maximum, divide, compare, ... over f32[4,32].
//
//   in   tokens   s32[4,24]
//   in   x        f32[4,24,32]
//   in   sum      s32[4,1]
//   out  div      f32[4,32]
//
//   convert_element_type = f32(tokens != 0)
//   sum_1                = reduce(x * broadcast(convert_element_type), 0), dimensions={1},
//                          to_apply=add
//   div                  = sum_1 / broadcast(f32(maximum(sum, 1)))
//
// 4 blocks of 32 threads. Reads 12.7 kB, writes 512 B.

#include "kernels.h"

#include "device/launch.cuh"
#include "device/maximum.cuh"

namespace embedding_lookup_kernels::sum_2 {
namespace {

constexpr int kElements = 128;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
sum_2(const int* __restrict__ tokens,
      const float* __restrict__ x,
      const int* __restrict__ sum,
      float* __restrict__ div) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int row = element / 32;
  const int column = element % 32;

  float sum_1 = 0.0f;
  for (int k = 0; k < 24; ++k) {
    const float convert_element_type = tokens[row * 24 + k] != 0 ? 1.0f : 0.0f;
    sum_1 += x[row * 768 + k * 32 + column] * convert_element_type;
  }

  div[element] = sum_1 / float(maximum(sum[row], 1));
}

}  // namespace

cudaError_t
enqueue(const int* tokens, const float* x, const int* sum, float* div, cudaStream_t stream) {
  return launch(sum_2, {.grid = kElements / kThreads, .block = kThreads}, stream,
                tokens, x, sum, div);
}

}  // namespace embedding_lookup_kernels::sum_2
