// ranges.cpp: how profilers call the steps of life: by the HLO that they
// compute. A part of the library if it is built with LIFE_NVTX.

#include <cstring>

const char* life_range(const char* step) {
  struct Name {
    const char* step;
    const char* range;
  };
  static constexpr Name kNames[] = {
      {"steps", "steps: while"},
      {nullptr, nullptr},
  };
  const Name* name = kNames;
  while (name->step != nullptr && std::strcmp(name->step, step) != 0) ++name;
  return name->step != nullptr ? name->range : step;
}
