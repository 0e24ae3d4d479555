// ranges.cpp: how profilers call the steps of gpt2_block: by the HLO that they
// compute. A part of the library if it is built with GPT2_BLOCK_NVTX.

#include <cstring>

const char* gpt2_block_range(const char* step) {
  struct Name {
    const char* step;
    const char* range;
  };
  static constexpr Name kNames[] = {
      {"attention", "attention: dot_general.7  (layers.py:71)"},
      {"attention_2", "attention_2: reduce_max.7, reduce_sum.38  (layers.py:74)"},
      {"attention_3", "attention_3: dot_general.8  (layers.py:74)"},
      {"block", "block: add.45  (layers.py:90)"},
      {"block_2", "block_2: mul.49  (layers.py:91)"},
      {"block_3", "block_3: add.61  (layers.py:91)"},
      {"dense", "dense: add.40  (layers.py:18)"},
      {"layer_norm", "layer_norm: reduce_sum.37, reduce_sum.22  (layers.py:36)"},
      {"layer_norm_2", "layer_norm_2: add.50  (layers.py:38)"},
      {nullptr, nullptr},
  };
  const Name* name = kNames;
  while (name->step != nullptr && std::strcmp(name->step, step) != 0) ++name;
  return name->step != nullptr ? name->range : step;
}
