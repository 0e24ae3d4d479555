// ranges.cpp: how profilers call the steps of sort_argsort: by the HLO that they
// compute. A part of the library if it is built with SORT_ARGSORT_NVTX.

#include <cstring>

const char* sort_argsort_range(const char* step) {
  struct Name {
    const char* step;
    const char* range;
  };
  static constexpr Name kNames[] = {
      {"sorted", "sorted: sort.16  (arrays.py:27)"},
      {"sorted_2", "sorted_2: sort.30  (arrays.py:27)"},
      {"sorted_3", "sorted_3: sort.32, sort.33  (arrays.py:26)"},
      {nullptr, nullptr},
  };
  const Name* name = kNames;
  while (name->step != nullptr && std::strcmp(name->step, step) != 0) ++name;
  return name->step != nullptr ? name->range : step;
}
