// reshape_4: add over f32[128].
//
//   in   broadcast_in_dim   f32[16,8]
//   in   params_value_2_b   f32[1]
//   in   dot                f32[17,8,1]
//   out  reshape            f32[128]
//   out  reshape            f32[128]
//
//   add_1 = add(dot, broadcast(params_value_2_b))
//   add_2 = add(broadcast_in_dim, slice(add_1))
//
// 4 blocks of 32 threads. Reads 1.0 kB, writes 1.0 kB.

#include "kernels.h"

#include "device/launch.cuh"

namespace ppo_update_kernels {
namespace {

constexpr int kElements = 128;
constexpr int kThreads = 32;

static_assert(kElements % kThreads == 0, "the grid covers the elements exactly");

__global__ void __launch_bounds__(kThreads)
reshape_4(const float* __restrict__ broadcast_in_dim,
          const float* __restrict__ params_value_2_b,
          const float* __restrict__ dot,
          float* __restrict__ reshape_out,
          float* __restrict__ reshape_out_1) {
  const int element = blockIdx.x * kThreads + threadIdx.x;

  const float broadcast_in_dim_value = broadcast_in_dim[element];

  reshape_out[element] = broadcast_in_dim_value;
  reshape_out_1[element] = broadcast_in_dim_value + (dot[element] + params_value_2_b[0]);
}

}  // namespace

cudaError_t
launch_reshape_4(const float* broadcast_in_dim,
                 const float* params_value_2_b,
                 const float* dot,
                 float* reshape_out,
                 float* reshape_out_1,
                 cudaStream_t stream) {
  return launch(reshape_4, {.grid = kElements / kThreads, .block = kThreads}, stream,
                broadcast_in_dim, params_value_2_b, dot, reshape_out, reshape_out_1);
}

}  // namespace ppo_update_kernels
