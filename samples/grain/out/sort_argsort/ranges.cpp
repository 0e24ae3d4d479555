// ranges.cpp: how profilers call the steps of sort_argsort: by the HLO that they
// compute. A part of the library if it is built with SORT_ARGSORT_NVTX.

#include <cstring>

const char* sort_argsort_range(const char* step) {
  struct Name {
    const char* step;
    const char* range;
  };
  static constexpr Name kNames[] = {
      {"by_group", "by_group: by_group, x_by  (sort_argsort.grain:8)"},
      {"order", "order: order  (sort_argsort.grain:7)"},
      {"sorted", "sorted: sorted  (sort_argsort.grain:6)"},
      {nullptr, nullptr},
  };
  const Name* name = kNames;
  while (name->step != nullptr && std::strcmp(name->step, step) != 0) ++name;
  return name->step != nullptr ? name->range : step;
}
