// loss_7: scatter, sqrt, divide, subtract, add, ... over f32[32,3].
//
//   in   reshape           s32[32,1,1]
//   in   min               f32[32]
//   in   squeeze           f32[32]
//   in   sum               f32[]
//   in   sum_1             f32[]
//   in   exponential       f32[32]
//   in   max               f32[32]
//   in   eq                pred[32]
//   out  scatter_add_out   f32[32,3]
//
//   div_2           = select(eq, 1, 0) / select(0.8 == max, 2, 1)
//   select          = select(max == min, 1, 0)
//   div_1           = (squeeze - sum / 32) / (sqrt(sum_1 / 32) + 1e-08)
//   mul_2           = min * div_1
//   mul_1           = exponential * div_1
//   min_1           = minimum(mul_1, mul_2)
//   eq_1            = mul_2 == min_1
//   eq_2            = mul_1 == min_1
//   mul_3           = select(eq_1, 1, 0) / select(eq_2, 2, 1) * -0.03125 * div_1
//   mul_4           = mul_3 * (select / select(1.2 == min, 2, 1)) * div_2
//   add_any         = mul_4 + select(eq_2, 1, 0) / select(eq_1, 2, 1) * -0.03125 * div_1
//   scatter_add_out = scatter(0, reshape, add_any * exponential)
//
// 3 blocks of 32 threads. Reads 680 B, writes 384 B.

#include "kernels.h"

#include "device/launch.cuh"
#include "device/maximum.cuh"

namespace ppo_update_kernels {
namespace {

constexpr int kElements = 96;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
loss_7(const int* __restrict__ reshape,
       const float* __restrict__ min,
       const float* __restrict__ squeeze,
       const float* __restrict__ sum,
       const float* __restrict__ sum_1,
       const float* __restrict__ exponential,
       const float* __restrict__ max,
       const bool* __restrict__ eq,
       float* __restrict__ scatter_add_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int row = element / 3;
  const int column = element % 3;

  const int reshape_value = reshape[row];
  float scatter_add = 0.0f;
  if (reshape_value == column) {
    const float exponential_value = exponential[row];
    const float div_1 = (squeeze[row] - sum[0] / 32.0f) / (sqrtf(sum_1[0] / 32.0f) + 1e-8f);
    const float mul_1 = exponential_value * div_1;
    const float min_value = min[row];
    const float mul_2 = min_value * div_1;
    const float min_1 = minimum(mul_1, mul_2);
    const bool eq_1 = mul_2 == min_1;
    const bool eq_2 = mul_1 == min_1;
    const float mul_3 = (eq_1 ? 1.0f : 0.0f) / (eq_2 ? 2.0f : 1.0f) * -0.03125f * div_1;
    const float max_value = max[row];
    const float select = max_value == min_value ? 1.0f : 0.0f;
    const float div_2 = (eq[row] ? 1.0f : 0.0f) / (0.8f == max_value ? 2.0f : 1.0f);
    const float mul_4 = mul_3 * (select / (1.2f == min_value ? 2.0f : 1.0f)) * div_2;
    const float add_any =
        fmaf((eq_2 ? 1.0f : 0.0f) / (eq_1 ? 2.0f : 1.0f) * -0.03125f, div_1, mul_4);
    scatter_add += add_any * exponential_value;
  }

  scatter_add_out[element] = scatter_add;
}

}  // namespace

cudaError_t
launch_loss_7(const int* reshape,
              const float* min,
              const float* squeeze,
              const float* sum,
              const float* sum_1,
              const float* exponential,
              const float* max,
              const bool* eq,
              float* scatter_add_out,
              cudaStream_t stream) {
  return launch(loss_7, {.grid = kElements / kThreads, .block = kThreads}, stream,
                reshape, min, squeeze, sum, sum_1, exponential, max, eq, scatter_add_out);
}

}  // namespace ppo_update_kernels
