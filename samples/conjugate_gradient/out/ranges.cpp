// ranges.cpp: how profilers call the steps of conjugate_gradient: by the HLO that they
// compute. A part of the library if it is built with CONJUGATE_GRADIENT_NVTX.

#include <cstring>

const char* conjugate_gradient_range(const char* step) {
  struct Name {
    const char* step;
    const char* range;
  };
  static constexpr Name kNames[] = {
      {"step", "step: while.9, while.10  (simulation.py:128)"},
      {nullptr, nullptr},
  };
  const Name* name = kNames;
  while (name->step != nullptr && std::strcmp(name->step, step) != 0) ++name;
  return name->step != nullptr ? name->range : step;
}
