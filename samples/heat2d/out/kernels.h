// kernels.h: the launch functions of kernels/*.cu, one a file. Each enqueues its kernel on the
// stream and returns.

#pragma once

#include "device/launch.cuh"

namespace heat2d_kernels {

cudaError_t
launch_step(const float* u_in, float* u_out, cudaStream_t stream);

}  // namespace heat2d_kernels
