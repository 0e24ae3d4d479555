// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/launch.cuh"

namespace conv3x3_bias_relu_conv3x3_bias_relu_kernels {

namespace conv3x3_bias_relu_conv3x3_bias_relu {
cudaError_t
enqueue(const float* x, const float* w, const float* bias, float* y, cudaStream_t stream);
}  // namespace conv3x3_bias_relu_conv3x3_bias_relu

}  // namespace conv3x3_bias_relu_conv3x3_bias_relu_kernels
