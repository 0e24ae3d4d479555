// ranges.cpp: how profilers call the steps of conv3x3_bias_relu_conv_pool: by the HLO that they
// compute. A part of the library if it is built with CONV3X3_BIAS_RELU_CONV_POOL_NVTX.

#include <cstring>

const char* conv3x3_bias_relu_conv_pool_range(const char* step) {
  struct Name {
    const char* step;
    const char* range;
  };
  static constexpr Name kNames[] = {
      {"conv3x3_bias_relu_conv_pool", "conv3x3_bias_relu_conv_pool: z  (conv3x3_bias_relu.grain:14), and 1 more"},
      {nullptr, nullptr},
  };
  const Name* name = kNames;
  while (name->step != nullptr && std::strcmp(name->step, step) != 0) ++name;
  return name->step != nullptr ? name->range : step;
}
