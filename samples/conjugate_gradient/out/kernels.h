// kernels.h: the launch functions of kernels/*.cu, one a file. Each enqueues its kernel on the
// stream and returns.

#pragma once

#include "device/launch.cuh"

namespace conjugate_gradient_kernels {

cudaError_t
launch_step(const float* b_in, int* n_out, float* x_out, cudaStream_t stream);

}  // namespace conjugate_gradient_kernels
