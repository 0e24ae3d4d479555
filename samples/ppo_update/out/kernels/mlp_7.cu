// mlp_7: dot, add, subtract, multiply over f32[32,16].
//
//   in   params_value_2_b   f32[1]
//   in   params_value_2_w   f32[16,1]
//   in   picked_4           f32[4,32]
//   in   dense_3            f32[32,1]
//   in   x_5                f32[32,16]
//   out  mlp_7_out          f32[32,16]
//
//   loss      = dense_3 + params_value_2_b - picked_4[t,:]
//   epoch     = loss * 2 * 0.015625
//   dot       = dot(epoch, params_value_2_w), einsum=ab,cb->ac
//   product   = dot * (1 - x_5)
//   mlp_7_out = product + product * x_5
//
// 16 blocks of 32 threads. Reads 2.4 kB, writes 2.0 kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace ppo_update_kernels::mlp_7 {
namespace {

constexpr int kRows = 32;
constexpr int kColumns = 16;
constexpr int kElements = kRows * kColumns;  // 512
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
mlp_7(const float* __restrict__ params_value_2_b,
      const float* __restrict__ params_value_2_w,
      const float* __restrict__ picked_4,
      const float* __restrict__ dense_3,
      const float* __restrict__ x_5,
      float* __restrict__ mlp_7_out,
      int t) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int row = element / kColumns;
  const int column = element % kColumns;

  // loss
  const float loss = dense_3[row] + params_value_2_b[0] - picked_4[t * kRows + row];

  const float x_5_value = x_5[element];

  // dense
  const float params_value_2_w_value = params_value_2_w[column];

  // epoch
  const float epoch = loss * 2.0f * 0.015625f;

  // dense
  float dot = 0.0f;
  dot = fmaf(epoch, params_value_2_w_value, dot);

  const float product = dot * (1.0f - x_5_value);

  mlp_7_out[element] = fmaf(product, x_5_value, product);
}

}  // namespace

cudaError_t
enqueue(const float* params_value_2_b, const float* params_value_2_w, const float* picked_4,
        const float* dense_3, const float* x_5, float* mlp_7_out, int t, cudaStream_t stream) {
  return launch(mlp_7, {.grid = kElements / kThreads, .block = kThreads}, stream,
                params_value_2_b, params_value_2_w, picked_4, dense_3, x_5, mlp_7_out, t);
}

}  // namespace ppo_update_kernels::mlp_7
