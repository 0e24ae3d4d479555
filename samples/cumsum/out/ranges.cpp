// ranges.cpp: how profilers call the steps of cumsum: by the HLO that they
// compute. A part of the library if it is built with CUMSUM_NVTX.

#include <cstring>

const char* cumsum_range(const char* step) {
  struct Name {
    const char* step;
    const char* range;
  };
  static constexpr Name kNames[] = {
      {"cumsum", "cumsum: reduce_window.5  (arrays.py:15), and 2 more"},
      {nullptr, nullptr},
  };
  const Name* name = kNames;
  while (name->step != nullptr && std::strcmp(name->step, step) != 0) ++name;
  return name->step != nullptr ? name->range : step;
}
