// ranges.cpp: how profilers call the steps of cartpole_concat: by the HLO that they
// compute. A part of the library if it is built with CARTPOLE_CONCAT_NVTX.

#include <cstring>

const char* cartpole_concat_range(const char* step) {
  struct Name {
    const char* step;
    const char* range;
  };
  static constexpr Name kNames[] = {
      {"step", "step: while.10, while.11  (cartpole.py:105)"},
      {nullptr, nullptr},
  };
  const Name* name = kNames;
  while (name->step != nullptr && std::strcmp(name->step, step) != 0) ++name;
  return name->step != nullptr ? name->range : step;
}
