// ranges.cpp: how profilers call the steps of cumsum_cumsum_rows: by the HLO that they
// compute. A part of the library if it is built with CUMSUM_CUMSUM_ROWS_NVTX.

#include <cstring>

const char* cumsum_cumsum_rows_range(const char* step) {
  struct Name {
    const char* step;
    const char* range;
  };
  static constexpr Name kNames[] = {
      {"cumsum_cumsum_rows", "cumsum_cumsum_rows: peaks  (cumsum.grain:8), and 2 more"},
      {nullptr, nullptr},
  };
  const Name* name = kNames;
  while (name->step != nullptr && std::strcmp(name->step, step) != 0) ++name;
  return name->step != nullptr ? name->range : step;
}
