// mlp_5: dot, exponential, log, add, subtract, ... over f32[32,16].
//
//   in   params_policy_2_b   f32[3]
//   in   params_policy_2_w   f32[16,3]
//   in   dense_2             f32[32,3]
//   in   max                 f32[32]
//   in   weight_sum          f32[32]
//   in   sums                f32[32,3]
//   in   sum_4               f32[32]
//   in   x_4                 f32[32,16]
//   out  mlp_5_out           f32[32,16]
//
//   shifted     = dense_2 + params_policy_2_b - broadcast(max)
//   log_sum     = log(weight_sum)
//   loss        = shifted - broadcast(log_sum)
//   exponential = exponential(loss)
//   epoch       = loss * 0.0003125
//   sum_2       = exponential * 0.0003125 + epoch * exponential + sums
//   sum_1       = 0 + sum_4 / weight_sum
//   dot         = dot(sum_2 + broadcast(sum_1) * exponential(shifted), params_policy_2_w),
//                 einsum=ab,cb->ac
//   product     = dot * (1 - x_4)
//   mlp_5_out   = product + product * x_4
//
// 16 blocks of 32 threads. Reads 3.4 kB, writes 2.0 kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace ppo_update_kernels::mlp_5 {
namespace {

constexpr int kRows = 32;
constexpr int kColumns = 16;
constexpr int kElements = kRows * kColumns;  // 512
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
mlp_5(const float* __restrict__ params_policy_2_b,
      const float* __restrict__ params_policy_2_w,
      const float* __restrict__ dense_2,
      const float* __restrict__ max,
      const float* __restrict__ weight_sum,
      const float* __restrict__ sums,
      const float* __restrict__ sum_4,
      const float* __restrict__ x_4,
      float* __restrict__ mlp_5_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int row = element / kColumns;
  const int column = element % kColumns;

  // loss
  const float max_value = max[row];
  const float weight_sum_value = weight_sum[row];
  const float log_sum = logf(weight_sum_value);
  const float sum_1 = 0.0f + sum_4[row] / weight_sum_value;

  const float x_4_value = x_4[element];

  // dense
  float dot = 0.0f;
  for (int k = 0; k < 3; ++k) {
    const int index = row * 3 + k;

    // loss
    const float shifted = dense_2[index] + params_policy_2_b[k] - max_value;
    const float loss = shifted - log_sum;
    const float exponential = expf(loss);

    // epoch
    const float epoch = loss * 0.0003125f;

    // loss
    const float sum_2 = fmaf(epoch, exponential, exponential * 0.0003125f) + sums[index];
    dot = fmaf(fmaf(sum_1, expf(shifted), sum_2), params_policy_2_w[column * 3 + k], dot);
  }

  const float product = dot * (1.0f - x_4_value);

  mlp_5_out[element] = fmaf(product, x_4_value, product);
}

}  // namespace

cudaError_t
enqueue(const float* params_policy_2_b, const float* params_policy_2_w, const float* dense_2,
        const float* max, const float* weight_sum, const float* sums, const float* sum_4,
        const float* x_4, float* mlp_5_out, cudaStream_t stream) {
  return launch(mlp_5, {.grid = kElements / kThreads, .block = kThreads}, stream,
                params_policy_2_b, params_policy_2_w, dense_2, max, weight_sum, sums, sum_4, x_4,
                mlp_5_out);
}

}  // namespace ppo_update_kernels::mlp_5
