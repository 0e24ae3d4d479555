// kernels.h: the launch functions of kernels/*.cu, one a file. Each enqueues its kernel on the
// stream and returns.

#pragma once

#include "device/launch.cuh"

namespace boids_kernels {

cudaError_t
launch_boids(const float* position_in,
             const float* velocity_in,
             float* velocity_out,
             float* position_out,
             cudaStream_t stream);

}  // namespace boids_kernels
