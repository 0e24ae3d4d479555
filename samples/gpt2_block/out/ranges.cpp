// ranges.cpp: how profilers call the steps of gpt2_block: by the HLO that they
// compute. A part of the library if it is built with GPT2_BLOCK_NVTX.

#include <cstring>

const char* gpt2_block_range(const char* step) {
  struct Name {
    const char* step;
    const char* range;
  };
  static constexpr Name kNames[] = {
      {"attention", "attention: attention  (layers.py:74)"},
      {"dense", "dense: add.40  (layers.py:18)"},
      {"dense_2", "dense_2: add.45  (layers.py:90)"},
      {"dense_3", "dense_3: mul.49  (layers.py:91)"},
      {"dense_4", "dense_4: add.61  (layers.py:91)"},
      {nullptr, nullptr},
  };
  const Name* name = kNames;
  while (name->step != nullptr && std::strcmp(name->step, step) != 0) ++name;
  return name->step != nullptr ? name->range : step;
}
