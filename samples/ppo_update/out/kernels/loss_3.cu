// loss_3: gather, log, exponential, add, subtract, ... over f32[32].
//
//   in   params_policy_2_b   f32[3]
//   in   reshape             f32[4,32]
//   in   reshape_1           s32[32,1,1]
//   in   dot                 f32[32,3]
//   in   max                 f32[32]
//   in   sum                 f32[32]
//   out  exponential         f32[32]
//
//   sub         = dot + params_policy_2_b - broadcast(max)
//   and_        = reshape_1 >= 0 and reshape_1 <= 2
//   start       = clamp(0, reshape_1, 2)
//   select      = select(and_, gather(sub - broadcast(log(sum)), start), nan)
//   exponential = exponential(select - reshape[t,:])
//
// One block of 32 threads. Reads 652 B, writes 128 B.

#include "kernels.h"

#include "device/launch.cuh"
#include "device/maximum.cuh"

namespace ppo_update_kernels {
namespace {

constexpr int kElements = 32;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
loss_3(const float* __restrict__ params_policy_2_b,
       const float* __restrict__ reshape,
       const int* __restrict__ reshape_1,
       const float* __restrict__ dot,
       const float* __restrict__ max,
       const float* __restrict__ sum,
       float* __restrict__ exponential,
       int t) {
  const int element = blockIdx.x * kThreads + threadIdx.x;

  const int reshape_1_value = reshape_1[element];
  const bool and_ = reshape_1_value >= 0 && reshape_1_value <= 2;
  const int start = minimum(maximum(reshape_1_value, 0), 2);
  const float sub = dot[element * 3 + start] + params_policy_2_b[start] - max[element];
  const float select = and_ ? sub - logf(sum[element]) : NAN;

  exponential[element] = expf(select - reshape[t * kElements + element]);
}

}  // namespace

cudaError_t
launch_loss_3(const float* params_policy_2_b,
              const float* reshape,
              const int* reshape_1,
              const float* dot,
              const float* max,
              const float* sum,
              float* exponential,
              int t,
              cudaStream_t stream) {
  return launch(loss_3, {.grid = kElements / kThreads, .block = kThreads}, stream,
                params_policy_2_b, reshape, reshape_1, dot, max, sum, exponential, t);
}

}  // namespace ppo_update_kernels
