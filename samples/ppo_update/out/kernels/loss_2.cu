// loss_2: scatter, gather, log, exponential, sqrt, ... over f32[32,3].
//
//   in   params_policy_2_b   f32[3]
//   in   reshape             s32[4,32]
//   in   reshape_1           f32[4,32]
//   in   reshape_2           f32[4,32]
//   in   dot                 f32[32,3]
//   in   max                 f32[32]
//   in   sum                 f32[32]
//   in   sum_1               f32[]
//   in   sum_2               f32[]
//   out  scatter_add_out     f32[32,3]
//
// 3 blocks of 32 threads. Reads 788 B, writes 384 B.

#include "kernels.h"

#include "device/launch.cuh"
#include "device/maximum.cuh"

namespace ppo_update_kernels {
namespace {

constexpr int kElements = 96;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
loss_2(const float* __restrict__ params_policy_2_b,
       const int* __restrict__ reshape,
       const float* __restrict__ reshape_1,
       const float* __restrict__ reshape_2,
       const float* __restrict__ dot,
       const float* __restrict__ max,
       const float* __restrict__ sum,
       const float* __restrict__ sum_1,
       const float* __restrict__ sum_2,
       float* __restrict__ scatter_add_out,
       int t) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int row = element / 3;
  const int column = element % 3;

  const int index = t * 32 + row;
  const int reshape_value = reshape[index];
  const int select_1 = reshape_value < 0 ? reshape_value + 3 : reshape_value;
  float scatter_add = 0.0f;
  if (select_1 == column) {
    const int start = minimum(maximum(select_1, 0), 2);
    const float sub_1 = dot[row * 3 + start] + params_policy_2_b[start] - max[row];
    const float select_2 = select_1 >= 0 && select_1 <= 2 ? sub_1 - logf(sum[row]) : NAN;
    const float exponential = expf(select_2 - reshape_1[index]);
    const float sub_2 = reshape_2[index] - sum_1[0] / 32.0f;
    const float div_1 = sub_2 / (sqrtf(sum_2[0] / 32.0f) + 1e-8f);
    const float mul_1 = exponential * div_1;
    const float max_1 = maximum(0.8f, exponential);
    const float min_1 = minimum(1.2f, max_1);
    const float mul_2 = min_1 * div_1;
    const float min_2 = minimum(mul_1, mul_2);
    const bool eq_1 = mul_2 == min_2;
    const bool eq_2 = mul_1 == min_2;
    const float mul_3 = (eq_1 ? 1.0f : 0.0f) / (eq_2 ? 2.0f : 1.0f) * -0.03125f * div_1;
    const float div_2 = (exponential == max_1 ? 1.0f : 0.0f) / (0.8f == max_1 ? 2.0f : 1.0f);
    const float mul_4 =
        mul_3 * ((max_1 == min_1 ? 1.0f : 0.0f) / (1.2f == min_1 ? 2.0f : 1.0f)) * div_2;
    const float add_any =
        fmaf((eq_2 ? 1.0f : 0.0f) / (eq_1 ? 2.0f : 1.0f) * -0.03125f, div_1, mul_4);
    scatter_add += add_any * exponential;
  }

  scatter_add_out[element] = scatter_add;
}

}  // namespace

cudaError_t
launch_loss_2(const float* params_policy_2_b,
              const int* reshape,
              const float* reshape_1,
              const float* reshape_2,
              const float* dot,
              const float* max,
              const float* sum,
              const float* sum_1,
              const float* sum_2,
              float* scatter_add_out,
              int t,
              cudaStream_t stream) {
  return launch(loss_2, {.grid = kElements / kThreads, .block = kThreads}, stream,
                params_policy_2_b, reshape, reshape_1, reshape_2, dot, max, sum, sum_1, sum_2,
                scatter_add_out, t);
}

}  // namespace ppo_update_kernels
