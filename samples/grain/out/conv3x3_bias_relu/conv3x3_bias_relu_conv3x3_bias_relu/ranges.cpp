// ranges.cpp: how profilers call the steps of conv3x3_bias_relu_conv3x3_bias_relu: by the HLO that they
// compute. A part of the library if it is built with CONV3X3_BIAS_RELU_CONV3X3_BIAS_RELU_NVTX.

#include <cstring>

const char* conv3x3_bias_relu_conv3x3_bias_relu_range(const char* step) {
  struct Name {
    const char* step;
    const char* range;
  };
  static constexpr Name kNames[] = {
      {"conv3x3_bias_relu_conv3x3_bias_relu", "conv3x3_bias_relu_conv3x3_bias_relu: y  (nn.grain:8)"},
      {nullptr, nullptr},
  };
  const Name* name = kNames;
  while (name->step != nullptr && std::strcmp(name->step, step) != 0) ++name;
  return name->step != nullptr ? name->range : step;
}
