// kernels.h: the launch functions of kernels/*.cu, one a file. Each enqueues its kernel on the
// stream and returns.

#pragma once

#include "device/launch.cuh"

namespace lorenz_rk4_kernels {

cudaError_t
launch_step(const float* x_in,
            const float* y_in,
            const float* z_in,
            float* x_out,
            float* y_out,
            float* z_out,
            float* joined_out,
            cudaStream_t stream);

}  // namespace lorenz_rk4_kernels
