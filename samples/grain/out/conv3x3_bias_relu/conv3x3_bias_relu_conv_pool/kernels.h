// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/launch.cuh"

namespace conv3x3_bias_relu_conv_pool_kernels {

namespace y {
cudaError_t
enqueue(const float* z, float* y_out, cudaStream_t stream);
}  // namespace y

namespace z {
cudaError_t
enqueue(const float* x, const float* w, float* z_out, cudaStream_t stream);
}  // namespace z

}  // namespace conv3x3_bias_relu_conv_pool_kernels
