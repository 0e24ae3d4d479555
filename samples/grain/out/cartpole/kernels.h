// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/launch.cuh"

namespace cartpole_kernels {

namespace cartpole {
cudaError_t
enqueue(const float* start_x_in, const float* start_x_dot_in, const float* start_theta_in,
        const float* start_theta_dot_in, const int* actions, const float* starts_x,
        const float* starts_x_dot, const float* starts_theta, const float* starts_theta_dot,
        float* state_x_out, float* state_x_dot_out, float* state_theta_out,
        float* state_theta_dot_out, int* episodes_out, cudaStream_t stream);
}  // namespace cartpole

}  // namespace cartpole_kernels
