// loss_3: reduce, log, exponential, add, subtract, ... over f32[32].
//
//   in   params_policy_2_b   f32[3]
//   in   dot                 f32[32,3]
//   in   max                 f32[32]
//   in   sum_in              f32[32]
//   in   scatter_add         f32[32,3]
//   out  sum_out             f32[32]
//
//   log_value     = log(sum_in)
//   sub_1         = dot + params_policy_2_b - broadcast(max) - broadcast(log_value)
//   exponential_1 = exponential(sub_1)
//   add_any_1     = exponential_1 * 0.0003125 + sub_1 * 0.0003125 * exponential_1
//   neg_1         = -(add_any_1 + scatter_add)
//   sum_out       = reduce(neg_1, 0), dimensions={1}, to_apply=add
//
// One block of 32 threads. Reads 1.0 kB, writes 128 B.

#include "kernels.h"

#include "device/launch.cuh"

namespace ppo_update_kernels {
namespace {

constexpr int kElements = 32;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
loss_3(const float* __restrict__ params_policy_2_b,
       const float* __restrict__ dot,
       const float* __restrict__ max,
       const float* __restrict__ sum_in,
       const float* __restrict__ scatter_add,
       float* __restrict__ sum_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;

  const float max_value = max[element];
  const float log_value = logf(sum_in[element]);
  const float sub_1 = dot[element * 3] + params_policy_2_b[0] - max_value - log_value;
  const float sub_2 = dot[element * 3 + 1] + params_policy_2_b[1] - max_value - log_value;
  const float sub_3 = dot[element * 3 + 2] + params_policy_2_b[2] - max_value - log_value;
  const float exponential_1 = expf(sub_1);
  const float add_any_1 = fmaf(sub_1 * 0.0003125f, exponential_1, exponential_1 * 0.0003125f);
  const float exponential_2 = expf(sub_2);
  const float add_any_2 = fmaf(sub_2 * 0.0003125f, exponential_2, exponential_2 * 0.0003125f);
  const float neg_1 = -(add_any_2 + scatter_add[element * 3 + 1]);
  const float exponential_3 = expf(sub_3);
  const float add_any_3 = fmaf(sub_3 * 0.0003125f, exponential_3, exponential_3 * 0.0003125f);
  const float neg_2 = -(add_any_3 + scatter_add[element * 3 + 2]);

  sum_out[element] = 0.0f + -(add_any_1 + scatter_add[element * 3]) + neg_1 + neg_2;
}

}  // namespace

cudaError_t
launch_loss_3(const float* params_policy_2_b,
              const float* dot,
              const float* max,
              const float* sum_in,
              const float* scatter_add,
              float* sum_out,
              cudaStream_t stream) {
  return launch(loss_3, {.grid = kElements / kThreads, .block = kThreads}, stream,
                params_policy_2_b, dot, max, sum_in, scatter_add, sum_out);
}

}  // namespace ppo_update_kernels
