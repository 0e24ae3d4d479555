// add_any_1: add, subtract, exponential, log, multiply, ... over f32[32,16].
//
//   in   sub           f32[3]
//   in   sub           f32[16,3]
//   in   dot           f32[32,3]
//   in   max           f32[32]
//   in   sum           f32[32]
//   in   scatter_add   f32[32,3]
//   in   sum           f32[32]
//   in   tanh          f32[32,16]
//   out  add_any       f32[32,16]
//
//   dense  add, dot
//   loss   subtract, exponential, log, multiply, add, divide
//   epoch  multiply
//   mlp    subtract, multiply, add
//
// 16 blocks of 32 threads. Reads 3.4 kB, writes 2.0 kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace ppo_update_kernels {
namespace {

constexpr int kElements = 512;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
add_any_1(const float* __restrict__ sub,
          const float* __restrict__ sub_1,
          const float* __restrict__ dot,
          const float* __restrict__ max,
          const float* __restrict__ sum,
          const float* __restrict__ scatter_add,
          const float* __restrict__ sum_1,
          const float* __restrict__ tanh_in,
          float* __restrict__ add_any) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int row = element / 16;
  const int column = element % 16;

  // loss
  const float max_value = max[row];
  const float sum_value = sum[row];
  const float log = logf(sum_value);
  const float reduce_sum = 0.0f + sum_1[row] / sum_value;

  // mlp
  const float tanh_value = tanh_in[element];

  // dense
  float dot_1 = 0.0f;
  for (int k = 0; k < 3; ++k) {
    const int index = row * 3 + k;
    const float sub_2 = dot[index] + sub[k] - max_value;
    const float sub_3 = sub_2 - log;
    const float exponential = expf(sub_3);
    const float add_any_2 = fmaf(sub_3 * 0.0003125f, exponential, exponential * 0.0003125f);
    dot_1 = fmaf(fmaf(reduce_sum, expf(sub_2), add_any_2 + scatter_add[index]),
                 sub_1[column * 3 + k], dot_1);
  }

  // mlp
  const float mul = dot_1 * (1.0f - tanh_value);

  add_any[element] = fmaf(mul, tanh_value, mul);
}

}  // namespace

cudaError_t
launch_add_any_1(const float* sub,
                 const float* sub_1,
                 const float* dot,
                 const float* max,
                 const float* sum,
                 const float* scatter_add,
                 const float* sum_1,
                 const float* tanh_in,
                 float* add_any,
                 cudaStream_t stream) {
  return launch(add_any_1, {.grid = kElements / kThreads, .block = kThreads}, stream,
                sub, sub_1, dot, max, sum, scatter_add, sum_1, tanh_in, add_any);
}

}  // namespace ppo_update_kernels
