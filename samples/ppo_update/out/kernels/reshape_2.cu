// reshape_2: dot, add over f32[128].
//
//   in   add                f32[16,8]
//   in   params_value_2_b   f32[1]
//   in   params_value_2_w   f32[16,1]
//   in   tanh_in            f32[17,8,16]
//   out  reshape_1          f32[128]
//   out  reshape_3          f32[128]
//
//   dot       = dot(tanh_in, params_value_2_w)
//   reshape_1 = reshape(add, [128])
//   reshape_3 = reshape(add + (dot + params_value_2_b)[0:16,:], [128])
//
// 4 blocks of 32 threads. Reads 8.8 kB, writes 1.0 kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace ppo_update_kernels {
namespace {

constexpr int kElements = 128;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
reshape_2(const float* __restrict__ add,
          const float* __restrict__ params_value_2_b,
          const float* __restrict__ params_value_2_w,
          const float* __restrict__ tanh_in,
          float* __restrict__ reshape_1,
          float* __restrict__ reshape_3) {
  const int element = blockIdx.x * kThreads + threadIdx.x;

  // dense
  float dot = 0.0f;
  for (int k = 0; k < 16; ++k) dot = fmaf(tanh_in[element * 16 + k], params_value_2_w[k], dot);

  // advantages
  const float add_value = add[element];

  reshape_1[element] = add_value;
  reshape_3[element] = add_value + (dot + params_value_2_b[0]);
}

}  // namespace

cudaError_t
launch_reshape_2(const float* add,
                 const float* params_value_2_b,
                 const float* params_value_2_w,
                 const float* tanh_in,
                 float* reshape_1,
                 float* reshape_3,
                 cudaStream_t stream) {
  return launch(reshape_2, {.grid = kElements / kThreads, .block = kThreads}, stream,
                add, params_value_2_b, params_value_2_w, tanh_in, reshape_1, reshape_3);
}

}  // namespace ppo_update_kernels
