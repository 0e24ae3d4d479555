// loss: 2 computations, in one launch whose last block to finish goes on alone.
//
//   scatter_add   3 blocks     scatter, gather, log, exponential, sqrt, ... over f32[32,3]
//   sum           last block   reduce, log, exponential, add, subtract, ... over f32[32]
//
// 3 blocks of 32 threads.

#include "kernels.h"

#include "device/last_block.cuh"
#include "device/launch.cuh"
#include "device/maximum.cuh"

namespace ppo_update_kernels::loss {
namespace {

// scatter_add: scatter, gather, log, exponential, sqrt, ... over f32[32,3].
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
//   loss   exponential, div_1, is_equal_1, is_equal_2, mul_4
//   epoch  scatter_add_1
//
// 3 blocks of 32 threads. Reads 788 B, writes 384 B.
namespace scatter_add {

constexpr int kElements = 96;
constexpr int kThreads = 32;
constexpr int kBlocks = kElements / kThreads;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__device__ void run(int block, const LossArrays::ScatterAddArrays& arrays) {
  const float* __restrict__ params_policy_2_b = arrays.params_policy_2_b;
  const int* __restrict__ reshape = arrays.reshape;
  const float* __restrict__ reshape_1 = arrays.reshape_1;
  const float* __restrict__ reshape_2 = arrays.reshape_2;
  const float* __restrict__ dot = arrays.dot;
  const float* __restrict__ max = arrays.max;
  const float* __restrict__ sum = arrays.sum;
  const float* __restrict__ sum_1 = arrays.sum_1;
  const float* __restrict__ sum_2 = arrays.sum_2;
  float* scatter_add_out = arrays.scatter_add_out;
  int t = arrays.t;
  const int element = block * kThreads + threadIdx.x;
  const int row = element / 3;
  const int column = element % 3;

  const int index = t * 32 + row;
  const int reshape_value = reshape[index];
  const int select_1 = reshape_value < 0 ? reshape_value + 3 : reshape_value;
  float scatter_add_1 = 0.0f;
  if (select_1 == column) {
    // loss
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
    const bool is_equal_1 = mul_2 == min_2;
    const bool is_equal_2 = mul_1 == min_2;
    const float mul_3 = (is_equal_1 ? 1.0f : 0.0f) / (is_equal_2 ? 2.0f : 1.0f) * -0.03125f * div_1;
    const float div_2 = (exponential == max_1 ? 1.0f : 0.0f) / (0.8f == max_1 ? 2.0f : 1.0f);
    const float mul_4 =
        mul_3 * ((max_1 == min_1 ? 1.0f : 0.0f) / (1.2f == min_1 ? 2.0f : 1.0f)) * div_2;

    // epoch
    const float broadcast_in_dim =
        (is_equal_2 ? 1.0f : 0.0f) / (is_equal_1 ? 2.0f : 1.0f) * -0.03125f;
    scatter_add_1 += fmaf(broadcast_in_dim, div_1, mul_4) * exponential;
  }

  scatter_add_out[element] = scatter_add_1;
}

}  // namespace scatter_add

// sum: reduce, log, exponential, add, subtract, ... over f32[32].
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
namespace sum {

constexpr int kElements = 32;
constexpr int kThreads = 32;

static_assert(kElements == kThreads, "a thread of the one block has an element");

__device__ void run(const LossArrays::SumArrays& arrays) {
  const float* __restrict__ params_policy_2_b = arrays.params_policy_2_b;
  const float* __restrict__ dot = arrays.dot;
  const float* __restrict__ max = arrays.max;
  const float* __restrict__ sum_in = arrays.sum_in;
  const float* scatter_add = arrays.scatter_add;
  float* __restrict__ sum_out = arrays.sum_out;
  const int element = threadIdx.x;

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

}  // namespace sum

constexpr int kThreads = 32;
constexpr int kBlocks = scatter_add::kBlocks;

__global__ void __launch_bounds__(kThreads)
loss(const __grid_constant__ LossArrays arrays) {
  const int block = blockIdx.x;
  scatter_add::run(block, arrays.scatter_add);

  // The block that finishes last sees what all have stored, and goes on alone.
  if (!is_last_block(arrays.finished)) return;
  sum::run(arrays.sum);
}

}  // namespace

cudaError_t
enqueue(const LossArrays& arrays, cudaStream_t stream) {
  return launch(loss, {.grid = kBlocks, .block = kThreads}, stream, arrays);
}

}  // namespace ppo_update_kernels::loss
