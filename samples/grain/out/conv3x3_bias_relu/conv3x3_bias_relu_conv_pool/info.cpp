// info.cpp: what the library says it is. Apart from the launcher, since it changes whenever the
// text does that was compiled.

#include "conv3x3_bias_relu_conv_pool/conv3x3_bias_relu_conv_pool.h"

#include "launcher/architectures.cuh"

const Conv3x3BiasReluConvPoolInfo* conv3x3_bias_relu_conv_pool_info() {
  static const Conv3x3BiasReluConvPoolInfo info = {
      .size = sizeof(Conv3x3BiasReluConvPoolInfo),
      .kernels = 1,
      .launches = 1,
      .interface_hash = CONV3X3_BIAS_RELU_CONV_POOL_INTERFACE,
      .generator = "sinter 0.1.0",
      .input_sha256 = "a72163831f3be6d30af10a2284b47fd91c6be13f330af4000e77f2992dd12d37",
      .architectures = kBuiltFor,
      .workspace_bytes = 3584,
      .weights_bytes = 0,
      .can_capture = kConv3x3BiasReluConvPoolCanCapture,
  };
  return &info;
}
