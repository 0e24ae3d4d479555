// kernels.h: what each file of kernels/ offers to the launcher, in a namespace of its own. enqueue
// puts the kernel on the stream and returns.

#pragma once

#include "device/launch.cuh"

namespace conv3x3_bias_relu_conv_pool_kernels {

namespace conv3x3_bias_relu_conv_pool {
struct Conv3x3BiasReluConvPoolArrays {
  struct ZArrays {
    const float* x;
    const float* w;
    float* z_out;
  } z;
  struct YArrays {
    const float* z;
    float* y_out;
  } y;
  uint32_t* finished;
};

cudaError_t
enqueue(const Conv3x3BiasReluConvPoolArrays& arrays, cudaStream_t stream);
}  // namespace conv3x3_bias_relu_conv_pool

}  // namespace conv3x3_bias_relu_conv_pool_kernels
