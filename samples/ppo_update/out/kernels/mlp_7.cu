// mlp_7: dot, add, subtract, multiply over f32[32,16].
//
//   in   params_value_2_b   f32[1]
//   in   params_value_2_w   f32[16,1]
//   in   picked             f32[4,32]
//   in   dot                f32[32,1]
//   in   x                  f32[32,16]
//   out  sum                f32[32,16]
//
//   loss    = (dot + params_value_2_b - picked[t,:]) * 2
//   epoch   = loss * 0.015625
//   dot_1   = dot(epoch, params_value_2_w), einsum=ab,cb->ac
//   product = dot_1 * (1 - x)
//   sum     = product + product * x
//
// 16 blocks of 32 threads. Reads 2.4 kB, writes 2.0 kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace ppo_update_kernels::mlp_7 {
namespace {

constexpr int kElements = 512;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
mlp_7(const float* __restrict__ params_value_2_b,
      const float* __restrict__ params_value_2_w,
      const float* __restrict__ picked,
      const float* __restrict__ dot,
      const float* __restrict__ x,
      float* __restrict__ sum,
      int t) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int row = element / 16;
  const int column = element % 16;

  // loss
  const float loss = (dot[row] + params_value_2_b[0] - picked[t * 32 + row]) * 2.0f;

  // mlp
  const float x_value = x[element];

  // dense
  const float params_value_2_w_value = params_value_2_w[column];

  // epoch
  const float epoch = loss * 0.015625f;

  // dense
  float dot_1 = 0.0f;
  dot_1 = fmaf(epoch, params_value_2_w_value, dot_1);

  // mlp
  const float product = dot_1 * (1.0f - x_value);

  sum[element] = fmaf(product, x_value, product);
}

}  // namespace

cudaError_t
enqueue(const float* params_value_2_b, const float* params_value_2_w, const float* picked,
        const float* dot, const float* x, float* sum, int t, cudaStream_t stream) {
  return launch(mlp_7, {.grid = kElements / kThreads, .block = kThreads}, stream,
                params_value_2_b, params_value_2_w, picked, dot, x, sum, t);
}

}  // namespace ppo_update_kernels::mlp_7
