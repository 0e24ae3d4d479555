// ranges.cpp: how profilers call the steps of layernorm: by the HLO that they
// compute. A part of the library if it is built with LAYERNORM_NVTX.

#include <cstring>

const char* layernorm_range(const char* step) {
  struct Name {
    const char* step;
    const char* range;
  };
  static constexpr Name kNames[] = {
      {"layernorm", "layernorm: y  (layernorm.grain:7)"},
      {nullptr, nullptr},
  };
  const Name* name = kNames;
  while (name->step != nullptr && std::strcmp(name->step, step) != 0) ++name;
  return name->step != nullptr ? name->range : step;
}
