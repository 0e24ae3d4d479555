// info.cpp: what the library says it is. Apart from the launcher, since it changes whenever the
// text does that was compiled.

#include "conv3x3_bias_relu/conv3x3_bias_relu.h"

#include "launcher/architectures.cuh"

const Conv3x3BiasReluInfo* conv3x3_bias_relu_info() {
  static const char* const programs[] = {"conv3x3_bias_relu", "conv_pool", nullptr};
  static const Conv3x3BiasReluInfo info = {
      .size = sizeof(Conv3x3BiasReluInfo),
      .kernels = 2,
      .launches = -1,
      .interface_hash = CONV3X3_BIAS_RELU_INTERFACE,
      .generator = "sinter 0.1.0",
      .input_sha256 = "a72163831f3be6d30af10a2284b47fd91c6be13f330af4000e77f2992dd12d37",
      .architectures = kBuiltFor,
      .workspace_bytes = 3584,
      .weights_bytes = 0,
      .programs = programs,
  };
  return &info;
}
