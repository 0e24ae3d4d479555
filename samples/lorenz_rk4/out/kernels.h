// kernels.h: the launch functions of kernels/*.cu, one a file. Each enqueues its kernel on the
// stream and returns.

#pragma once

#include "device/launch.cuh"

namespace lorenz_rk4_kernels {

cudaError_t
launch_broadcast_in_dim(float* broadcast_in_dim_out, cudaStream_t stream);

cudaError_t
launch_dynamic_update_slice(const float* sum,
                            const float* sum_1,
                            const float* sum_2,
                            float* dynamic_update_slice_out,
                            int t,
                            cudaStream_t stream);

cudaError_t
launch_sum(const float* x,
           const float* y,
           const float* z,
           float* add_out,
           float* add_out_1,
           float* add_out_2,
           float* sum_out,
           float* sum_out_1,
           float* sum_out_2,
           cudaStream_t stream);

}  // namespace lorenz_rk4_kernels
