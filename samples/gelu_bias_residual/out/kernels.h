// kernels.h: the launch functions of kernels/*.cu, one a file. Each enqueues its kernel on the
// stream and returns.

#pragma once

#include "device/launch.cuh"

namespace gelu_bias_residual_kernels {

cudaError_t
launch_gelu_bias_residual(const float* x,
                          const float* bias,
                          const float* residual,
                          float* sum,
                          cudaStream_t stream);

}  // namespace gelu_bias_residual_kernels
