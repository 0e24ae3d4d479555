// dynamic_update_slice: divide over f32[40,3].
//
//   in   broadcast_in_dim       f32[40,3]
//   in   sum                    f32[]
//   in   sum                    f32[]
//   in   sum                    f32[]
//   out  dynamic_update_slice   f32[40,3]
//
//   div_1 = divide(sum, 64)
//   div_2 = divide(sum, 64)
//   div_3 = divide(sum, 64)
//   stack = concatenate(div_1, div_2, div_3)
//
// 4 blocks of 32 threads. Reads 492 B, writes 480 B.

#include "kernels.h"

#include "device/launch.cuh"

namespace lorenz_rk4_kernels {
namespace {

constexpr int kElements = 120;
constexpr int kThreads = 32;

__global__ void __launch_bounds__(kThreads)
dynamic_update_slice(const float* broadcast_in_dim,
                     const float* __restrict__ sum,
                     const float* __restrict__ sum_1,
                     const float* __restrict__ sum_2,
                     float* dynamic_update_slice_out,
                     int t) {
  const int element = blockIdx.x * kThreads + threadIdx.x;
  if (element >= kElements) return;
  const int row = element / 3;
  const int column = element % 3;

  const float broadcast_in_dim_value = broadcast_in_dim[element];

  dynamic_update_slice_out[element] = t == row
                                          ? (column == 0 ? sum[0] / 64.0f
                                                         : (column < 2 ? sum_1[0] / 64.0f
                                                                       : sum_2[0] / 64.0f))
                                          : broadcast_in_dim_value;
}

}  // namespace

cudaError_t
launch_dynamic_update_slice(const float* broadcast_in_dim,
                            const float* sum,
                            const float* sum_1,
                            const float* sum_2,
                            float* dynamic_update_slice_out,
                            int t,
                            cudaStream_t stream) {
  return launch(dynamic_update_slice,
                {.grid = (kElements + kThreads - 1) / kThreads, .block = kThreads},
                stream, broadcast_in_dim, sum, sum_1, sum_2, dynamic_update_slice_out, t);
}

}  // namespace lorenz_rk4_kernels
