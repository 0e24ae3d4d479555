// ranges.cpp: how profilers call the steps of kmeans: by the HLO that they
// compute. A part of the library if it is built with KMEANS_NVTX.

#include <cstring>

const char* kmeans_range(const char* step) {
  struct Name {
    const char* step;
    const char* range;
  };
  static constexpr Name kNames[] = {
      {"goes_on_kernel", "goes_on_kernel: add.5, and.3  (make_samples.py:30)"},
      {"nearest", "nearest: reduce.19  (make_samples.py:23)"},
      {"nearest_2", "nearest_2: select_n.5, reduce.13  (make_samples.py:29)"},
      {"update", "update: scatter-add.11  (make_samples.py:28)"},
      {"update_2", "update_2: scatter-add.10  (make_samples.py:27)"},
      {nullptr, nullptr},
  };
  const Name* name = kNames;
  while (name->step != nullptr && std::strcmp(name->step, step) != 0) ++name;
  return name->step != nullptr ? name->range : step;
}
