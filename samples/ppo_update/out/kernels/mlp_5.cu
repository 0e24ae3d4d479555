// mlp_5: dot, subtract, multiply, add over f32[32,16].
//
//   in   params_policy_2_w   f32[16,3]
//   in   sum_4               f32[32,3]
//   in   x_4                 f32[32,16]
//   out  mlp_5_out           f32[32,16]
//
//   dot       = dot(sum_4, params_policy_2_w), einsum=ab,cb->ac
//   product   = dot * (1 - x_4)
//   mlp_5_out = product + product * x_4
//
// 16 blocks of 32 threads. Reads 2.6 kB, writes 2.0 kB.

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
mlp_5(const float* __restrict__ params_policy_2_w,
      const float* __restrict__ sum_4,
      const float* __restrict__ x_4,
      float* __restrict__ mlp_5_out) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int row = element / kColumns;
  const int column = element % kColumns;

  const float x_4_value = x_4[element];

  // dense
  float dot = 0.0f;
  for (int k = 0; k < 3; ++k) {
    dot = fmaf(sum_4[row * 3 + k], params_policy_2_w[column * 3 + k], dot);
  }

  const float product = dot * (1.0f - x_4_value);

  mlp_5_out[element] = fmaf(product, x_4_value, product);
}

}  // namespace

cudaError_t
enqueue(const float* params_policy_2_w, const float* sum_4, const float* x_4, float* mlp_5_out,
        cudaStream_t stream) {
  return launch(mlp_5, {.grid = kElements / kThreads, .block = kThreads}, stream,
                params_policy_2_w, sum_4, x_4, mlp_5_out);
}

}  // namespace ppo_update_kernels::mlp_5
