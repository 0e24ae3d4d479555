// ranges.cpp: how profilers call the steps of histogram: by the HLO that they
// compute. A part of the library if it is built with HISTOGRAM_NVTX.

#include <cstring>

const char* histogram_range(const char* step) {
  struct Name {
    const char* step;
    const char* range;
  };
  static constexpr Name kNames[] = {
      {"histogram", "histogram: counts, sums, peaks  (histogram.grain:6)"},
      {nullptr, nullptr},
  };
  const Name* name = kNames;
  while (name->step != nullptr && std::strcmp(name->step, step) != 0) ++name;
  return name->step != nullptr ? name->range : step;
}
