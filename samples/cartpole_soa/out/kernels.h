// kernels.h: the launch functions of kernels/*.cu, one a file. Each enqueues its kernel on the
// stream and returns.

#pragma once

#include "device/launch.cuh"

namespace cartpole_soa_kernels {

cudaError_t
launch_step(const float* state_0_in,
            const float* state_1_in,
            const float* state_2_in,
            const float* state_3_in,
            const int* actions,
            const float* starts_0,
            const float* starts_1,
            const float* starts_2,
            const float* starts_3,
            float* state_0_out,
            float* state_1_out,
            float* state_2_out,
            float* state_3_out,
            int* episodes_out,
            cudaStream_t stream);

}  // namespace cartpole_soa_kernels
