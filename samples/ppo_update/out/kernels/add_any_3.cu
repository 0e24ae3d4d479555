// add_any_3: add, subtract, multiply, dot over f32[32,16].
//
//   in   sub       f32[1]
//   in   sub       f32[16,1]
//   in   reshape   f32[4,32]
//   in   dot       f32[32,1]
//   in   tanh      f32[32,16]
//   out  add_any   f32[32,16]
//
//   add              = add(dot, broadcast(sub))
//   sub_1            = subtract(add, dynamic-slice(reshape))
//   mul_1            = multiply(sub_1, 2)
//   broadcast_in_dim = multiply(mul_1, 0.015625)
//   dot              = dot(broadcast_in_dim, sub)
//   sub_2            = subtract(1, tanh)
//   mul_2            = multiply(dot, sub_2)
//   mul_3            = multiply(mul_2, tanh)
//   add_any          = add(mul_2, mul_3)
//
// 16 blocks of 32 threads. Reads 2.4 kB, writes 2.0 kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace ppo_update_kernels {
namespace {

constexpr int kElements = 512;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
add_any_3(const float* __restrict__ sub,
          const float* __restrict__ sub_1,
          const float* __restrict__ reshape,
          const float* __restrict__ dot,
          const float* __restrict__ tanh_in,
          float* __restrict__ add_any,
          int t) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int row = element / 16;
  const int column = element % 16;

  // mlp
  const float tanh_value = tanh_in[element];

  // dense
  const float sub_1_value = sub_1[column];

  // epoch
  const float epoch = (dot[row] + sub[0] - reshape[t * 32 + row]) * 2.0f * 0.015625f;

  // dense
  float dot_1 = 0.0f;
  dot_1 = fmaf(epoch, sub_1_value, dot_1);

  // mlp
  const float mul = dot_1 * (1.0f - tanh_value);

  add_any[element] = fmaf(mul, tanh_value, mul);
}

}  // namespace

cudaError_t
launch_add_any_3(const float* sub,
                 const float* sub_1,
                 const float* reshape,
                 const float* dot,
                 const float* tanh_in,
                 float* add_any,
                 int t,
                 cudaStream_t stream) {
  return launch(add_any_3, {.grid = kElements / kThreads, .block = kThreads}, stream,
                sub, sub_1, reshape, dot, tanh_in, add_any, t);
}

}  // namespace ppo_update_kernels
