// mlp_5: dot, exponential, log, add, subtract, ... over f32[32,16].
//
//   in   params_policy_2_b   f32[3]
//   in   params_policy_2_w   f32[16,3]
//   in   dot                 f32[32,3]
//   in   max                 f32[32]
//   in   sum                 f32[32]
//   in   scatter_add         f32[32,3]
//   in   sum_1               f32[32]
//   in   x                   f32[32,16]
//   out  add_any             f32[32,16]
//
//   sub_1       = dot + params_policy_2_b - broadcast(max)
//   log_value   = log(sum)
//   sub_2       = sub_1 - broadcast(log_value)
//   exponential = exponential(sub_2)
//   add_any_1   = exponential * 0.0003125 + sub_2 * 0.0003125 * exponential
//   reduce_sum  = 0 + sum_1 / sum
//   add_any_2   = add_any_1 + scatter_add + broadcast(reduce_sum) * exponential(sub_1)
//   dot_1       = dot(add_any_2, params_policy_2_w), einsum=ab,cb->ac
//   mul         = dot_1 * (1 - x)
//   add_any     = mul + mul * x
//
// 16 blocks of 32 threads. Reads 3.4 kB, writes 2.0 kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace ppo_update_kernels::mlp_5 {
namespace {

constexpr int kElements = 512;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
mlp_5(const float* __restrict__ params_policy_2_b,
      const float* __restrict__ params_policy_2_w,
      const float* __restrict__ dot,
      const float* __restrict__ max,
      const float* __restrict__ sum,
      const float* __restrict__ scatter_add,
      const float* __restrict__ sum_1,
      const float* __restrict__ x,
      float* __restrict__ add_any) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int row = element / 16;
  const int column = element % 16;

  // loss
  const float max_value = max[row];
  const float sum_value = sum[row];
  const float log_value = logf(sum_value);
  const float reduce_sum = 0.0f + sum_1[row] / sum_value;

  // mlp
  const float x_value = x[element];

  // dense
  float dot_1 = 0.0f;
  for (int k = 0; k < 3; ++k) {
    const int index = row * 3 + k;
    const float sub_1 = dot[index] + params_policy_2_b[k] - max_value;
    const float sub_2 = sub_1 - log_value;
    const float exponential = expf(sub_2);
    const float add_any_1 = fmaf(sub_2 * 0.0003125f, exponential, exponential * 0.0003125f);
    dot_1 = fmaf(fmaf(reduce_sum, expf(sub_1), add_any_1 + scatter_add[index]),
                 params_policy_2_w[column * 3 + k], dot_1);
  }

  // mlp
  const float mul = dot_1 * (1.0f - x_value);

  add_any[element] = fmaf(mul, x_value, mul);
}

}  // namespace

cudaError_t
enqueue(const float* params_policy_2_b,
        const float* params_policy_2_w,
        const float* dot,
        const float* max,
        const float* sum,
        const float* scatter_add,
        const float* sum_1,
        const float* x,
        float* add_any,
        cudaStream_t stream) {
  return launch(mlp_5, {.grid = kElements / kThreads, .block = kThreads}, stream,
                params_policy_2_b, params_policy_2_w, dot, max, sum, scatter_add, sum_1, x,
                add_any);
}

}  // namespace ppo_update_kernels::mlp_5
