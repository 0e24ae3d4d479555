// ranges.cpp: how profilers call the steps of resnet18: by the HLO that they
// compute. A part of the library if it is built with RESNET18_NVTX.

#include <cstring>

const char* resnet18_range(const char* step) {
  struct Name {
    const char* step;
    const char* range;
  };
  static constexpr Name kNames[] = {
      {"conv", "conv: max.3  (vision.py:96)"},
      {"conv_2", "conv_2: conv_general_dilated.27  (layers.py:52), and 1 more"},
      {"conv_3", "conv_3: conv_general_dilated.31, max.33  (layers.py:52)"},
      {"conv_4", "conv_4: conv_general_dilated.33  (layers.py:52)"},
      {"conv_5", "conv_5: conv_general_dilated.37, conv_general_dilated.35  (layers.py:52)"},
      {"conv_6", "conv_6: conv_general_dilated.36  (layers.py:52)"},
      {"conv_7", "conv_7: conv_general_dilated.38  (layers.py:52)"},
      {"conv_8", "conv_8: conv_general_dilated.39  (layers.py:52), and 1 more"},
      {"max_pool", "max_pool: reduce_window_max.7  (layers.py:59)"},
      {"residual", "residual: max.7  (vision.py:83); max.17  (vision.py:83)"},
      {"residual_2", "residual_2: max.13  (vision.py:87); max.21  (vision.py:87)"},
      {"residual_5", "residual_5: max.25  (vision.py:87)"},
      {"residual_6", "residual_6: max.27  (vision.py:83)"},
      {"residual_7", "residual_7: max.29  (vision.py:87), and 1 more"},
      {"residual_8", "residual_8: max.37  (vision.py:87)"},
      {nullptr, nullptr},
  };
  const Name* name = kNames;
  while (name->step != nullptr && std::strcmp(name->step, step) != 0) ++name;
  return name->step != nullptr ? name->range : step;
}
