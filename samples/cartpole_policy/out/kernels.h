// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/launch.cuh"

namespace cartpole_policy_kernels {

namespace step {
cudaError_t
enqueue(const float* state_0_in, const float* state_1_in, const float* state_2_in,
        const float* state_3_in, const float* params_0_b, const float* params_0_w,
        const float* params_1_b, const float* params_1_w, const float* params_2_b,
        const float* params_2_w, const float* starts_0, const float* starts_1,
        const float* starts_2, const float* starts_3, float* state_0_out, float* state_1_out,
        float* state_2_out, float* state_3_out, int* episodes_out, cudaStream_t stream);
}  // namespace step

}  // namespace cartpole_policy_kernels
