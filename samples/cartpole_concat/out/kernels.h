// kernels.h: the launch functions of kernels/*.cu, one a file. Each enqueues its kernel on the
// stream and returns.

#pragma once

#include "device/launch.cuh"

namespace cartpole_concat_kernels {

cudaError_t
launch_step(const float* state_in,
            const int* actions,
            const float* starts,
            float* state_out,
            int* episodes_out,
            cudaStream_t stream);

}  // namespace cartpole_concat_kernels
