// kernels.h: the launch functions of kernels/*.cu, one a file. Each enqueues its kernel on the
// stream and returns.

#pragma once

#include "device/launch.cuh"

namespace option_paths_kernels {

cudaError_t
launch_sqrt_kernel(const float* strike,
                   const float* sum,
                   float* mul,
                   float* sqrt_out,
                   cudaStream_t stream);

cudaError_t
launch_step(const float* spot_in,
            const float* volatility,
            const uint32_t* key,
            float* sum_out,
            cudaStream_t stream);

}  // namespace option_paths_kernels
