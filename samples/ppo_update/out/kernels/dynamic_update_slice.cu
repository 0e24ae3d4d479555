// dynamic_update_slice: dynamic-update-slice over f32[2,4].
//
//   in   broadcast_in_dim       f32[4]
//   out  dynamic_update_slice   f32[2,4]
//
// 1 block of 32 threads. Reads 16 B, writes 16 B.

#include "kernels.h"

#include "device/launch.cuh"

namespace ppo_update_kernels {
namespace {

constexpr int kElements = 4;
constexpr int kThreads = 32;

__global__ void __launch_bounds__(kThreads)
dynamic_update_slice(const float* __restrict__ broadcast_in_dim,
                     float* __restrict__ dynamic_update_slice_out,
                     int t) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  if (element >= kElements) return;

  dynamic_update_slice_out[t * kElements + element] = broadcast_in_dim[element];
}

}  // namespace

cudaError_t
launch_dynamic_update_slice(const float* broadcast_in_dim,
                            float* dynamic_update_slice_out,
                            int t,
                            cudaStream_t stream) {
  return launch(dynamic_update_slice,
                {.grid = (kElements + kThreads - 1) / kThreads, .block = kThreads},
                stream, broadcast_in_dim, dynamic_update_slice_out, t);
}

}  // namespace ppo_update_kernels
