// ranges.cpp: how profilers call the steps of kmeans: by the HLO that they
// compute. A part of the library if it is built with KMEANS_NVTX.

#include <cstring>

const char* kmeans_range(const char* step) {
  struct Name {
    const char* step;
    const char* range;
  };
  static constexpr Name kNames[] = {
      {"any", "any: steps_next, and.5  (kmeans.grain:22)"},
      {"count", "count: count  (kmeans.grain:20)"},
      {"nearest", "nearest: j.1  (kmeans.grain:8)"},
      {"nearest_2", "nearest_2: moved, j.6  (kmeans.grain:21)"},
      {"sums", "sums: sums  (kmeans.grain:19)"},
      {nullptr, nullptr},
  };
  const Name* name = kNames;
  while (name->step != nullptr && std::strcmp(name->step, step) != 0) ++name;
  return name->step != nullptr ? name->range : step;
}
