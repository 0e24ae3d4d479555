// sum: add, subtract, log, exponential, multiply, ... over f32[32].
//
//   in   sub           f32[3]
//   in   dot           f32[32,3]
//   in   max           f32[32]
//   in   sum           f32[32]
//   in   scatter_add   f32[32,3]
//   out  sum           f32[32]
//
//   add              = add(dot, broadcast(sub))
//   sub_1            = subtract(add, broadcast(max))
//   log              = log(sum)
//   sub_2            = subtract(sub_1, broadcast(log))
//   exponential      = exponential(sub_2)
//   mul_1            = multiply(exponential, 0.0003125)
//   broadcast_in_dim = multiply(sub_2, 0.0003125)
//   mul_2            = multiply(broadcast_in_dim, exponential)
//   add_any_1        = add(mul_1, mul_2)
//   add_any_2        = add(add_any_1, scatter_add)
//   neg              = negate(add_any_2)
//   sum              = reduce(neg, 0), dimensions={1}, to_apply=add
//
// 1 block of 32 threads. Reads 1.0 kB, writes 128 B.

#include "kernels.h"

#include "device/launch.cuh"

namespace ppo_update_kernels {
namespace {

constexpr int kElements = 32;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
sum(const float* __restrict__ sub,
    const float* __restrict__ dot,
    const float* __restrict__ max,
    const float* __restrict__ sum_in,
    const float* __restrict__ scatter_add,
    float* __restrict__ sum_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;

  const float max_value = max[element];
  const float log = logf(sum_in[element]);
  const float sub_1 = dot[element * 3] + sub[0] - max_value - log;
  const float sub_2 = dot[element * 3 + 1] + sub[1] - max_value - log;
  const float sub_3 = dot[element * 3 + 2] + sub[2] - max_value - log;
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
launch_sum(const float* sub,
           const float* dot,
           const float* max,
           const float* sum_in,
           const float* scatter_add,
           float* sum_out,
           cudaStream_t stream) {
  return launch(sum, {.grid = kElements / kThreads, .block = kThreads}, stream,
                sub, dot, max, sum_in, scatter_add, sum_out);
}

}  // namespace ppo_update_kernels
