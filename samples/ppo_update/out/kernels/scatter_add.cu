// scatter_add: scatter, sqrt, divide, subtract, add, ... over f32[32,3].
//
//   in   reshape           s32[32,1,1]
//   in   min               f32[32]
//   in   squeeze           f32[32]
//   in   sum               f32[]
//   in   sum_1             f32[]
//   in   exponential       f32[32]
//   in   broadcast         f32[32]
//   in   broadcast_1       f32[32]
//   in   max               f32[32]
//   in   min_1             f32[32]
//   in   eq                pred[32]
//   in   max_1             f32[32]
//   out  scatter_add_out   f32[32,3]
//
// 3 blocks of 32 threads. Reads 1.2 kB, writes 384 B.

#include "kernels.h"

#include "device/launch.cuh"
#include "device/maximum.cuh"

namespace ppo_update_kernels {
namespace {

constexpr int kElements = 96;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
scatter_add(const int* __restrict__ reshape,
            const float* __restrict__ min,
            const float* __restrict__ squeeze,
            const float* __restrict__ sum,
            const float* __restrict__ sum_1,
            const float* __restrict__ exponential,
            const float* __restrict__ broadcast,
            const float* __restrict__ broadcast_1,
            const float* __restrict__ max,
            const float* __restrict__ min_1,
            const bool* __restrict__ eq,
            const float* __restrict__ max_1,
            float* __restrict__ scatter_add_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int row = element / 3;
  const int column = element % 3;

  const int reshape_value = reshape[row];
  float scatter_add_1 = 0.0f;
  if (reshape_value == column) {
    const float exponential_value = exponential[row];
    const float div_1 = (squeeze[row] - sum[0] / 32.0f) / (sqrtf(sum_1[0] / 32.0f) + 1e-8f);
    const float mul_1 = exponential_value * div_1;
    const float min_value = min[row];
    const float mul_2 = min_value * div_1;
    const float min_2 = minimum(mul_1, mul_2);
    const bool eq_1 = mul_2 == min_2;
    const bool eq_2 = mul_1 == min_2;
    const float broadcast_value = broadcast[row];
    const float broadcast_1_value = broadcast_1[row];
    const float select_1 = eq_1 ? broadcast_value : broadcast_1_value;
    const float select_2 = eq_2 ? broadcast_value : broadcast_1_value;
    const float max_value = max[row];
    const float select_3 = max_value == min_value ? broadcast_value : broadcast_1_value;
    const float div_2 = select_3 / (min_1[row] == min_value ? 2.0f : broadcast_value);
    const float mul_3 = select_1 / (eq_2 ? 2.0f : broadcast_value) * -0.03125f * div_1 * div_2;
    const float select_4 = max_1[row] == max_value ? 2.0f : broadcast_value;
    const float mul_4 = mul_3 * ((eq[row] ? broadcast_value : broadcast_1_value) / select_4);
    const float add_any =
        fmaf(select_2 / (eq_1 ? 2.0f : broadcast_value) * -0.03125f, div_1, mul_4);
    scatter_add_1 += add_any * exponential_value;
  }

  scatter_add_out[element] = scatter_add_1;
}

}  // namespace

cudaError_t
launch_scatter_add(const int* reshape,
                   const float* min,
                   const float* squeeze,
                   const float* sum,
                   const float* sum_1,
                   const float* exponential,
                   const float* broadcast,
                   const float* broadcast_1,
                   const float* max,
                   const float* min_1,
                   const bool* eq,
                   const float* max_1,
                   float* scatter_add_out,
                   cudaStream_t stream) {
  return launch(scatter_add, {.grid = kElements / kThreads, .block = kThreads}, stream,
                reshape, min, squeeze, sum, sum_1, exponential, broadcast, broadcast_1, max, min_1,
                eq, max_1, scatter_add_out);
}

}  // namespace ppo_update_kernels
