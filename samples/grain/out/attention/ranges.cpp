// ranges.cpp: how profilers call the steps of attention: by the HLO that they
// compute. A part of the library if it is built with ATTENTION_NVTX.

#include <cstring>

const char* attention_range(const char* step) {
  struct Name {
    const char* step;
    const char* range;
  };
  static constexpr Name kNames[] = {
      {"mixed", "mixed: mixed  (attention.grain:9)"},
      {"score", "score: dot  (attention.grain:5)"},
      {"total", "total: top, total  (attention.grain:6)"},
      {nullptr, nullptr},
  };
  const Name* name = kNames;
  while (name->step != nullptr && std::strcmp(name->step, step) != 0) ++name;
  return name->step != nullptr ? name->range : step;
}
