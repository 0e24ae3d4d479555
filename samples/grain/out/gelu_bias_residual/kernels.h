// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/launch.cuh"

namespace gelu_bias_residual_kernels {

namespace gelu_bias_residual {
cudaError_t
enqueue(const float* x, const float* bias, const float* residual, float* y, cudaStream_t stream);
}  // namespace gelu_bias_residual

}  // namespace gelu_bias_residual_kernels
