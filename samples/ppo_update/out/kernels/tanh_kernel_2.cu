// tanh_kernel_2: dot, add, tanh over f32[32,16].
//
//   in   sub       f32[16]
//   in   sub       f32[6,16]
//   in   sub       f32[16]
//   in   sub       f32[6,16]
//   in   reshape   f32[4,32,6]
//   out  tanh      f32[32,16]
//   out  tanh      f32[32,16]
//
//   dot_1  = dot(dynamic-slice(reshape), sub)
//   add_1  = add(dot_1, broadcast(sub))
//   tanh_1 = tanh(add_1)
//   dot_2  = dot(dynamic-slice(reshape), sub)
//   add_2  = add(dot_2, broadcast(sub))
//   tanh_2 = tanh(add_2)
//
// 16 blocks of 32 threads. Reads 2.4 kB, writes 4.1 kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace ppo_update_kernels {
namespace {

constexpr int kElements = 512;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
tanh_kernel_2(const float* __restrict__ sub,
              const float* __restrict__ sub_1,
              const float* __restrict__ sub_2,
              const float* __restrict__ sub_3,
              const float* __restrict__ reshape,
              float* __restrict__ tanh_out,
              float* __restrict__ tanh_out_1,
              int t) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  const int row = element / 16;
  const int column = element % 16;

  float dot_1 = 0.0f;
  for (int k = 0; k < 6; ++k) {
    dot_1 = fmaf(reshape[t * 192 + row * 6 + k], sub_1[k * 16 + column], dot_1);
  }
  float dot_2 = 0.0f;
  for (int k = 0; k < 6; ++k) {
    dot_2 = fmaf(reshape[t * 192 + row * 6 + k], sub_3[k * 16 + column], dot_2);
  }

  tanh_out[element] = tanhf(dot_1 + sub[column]);
  tanh_out_1[element] = tanhf(dot_2 + sub_2[column]);
}

}  // namespace

cudaError_t
launch_tanh_kernel_2(const float* sub,
                     const float* sub_1,
                     const float* sub_2,
                     const float* sub_3,
                     const float* reshape,
                     float* tanh_out,
                     float* tanh_out_1,
                     int t,
                     cudaStream_t stream) {
  return launch(tanh_kernel_2, {.grid = kElements / kThreads, .block = kThreads}, stream,
                sub, sub_1, sub_2, sub_3, reshape, tanh_out, tanh_out_1, t);
}

}  // namespace ppo_update_kernels
