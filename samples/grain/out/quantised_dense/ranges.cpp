// ranges.cpp: how profilers call the steps of quantised_dense: by the HLO that they
// compute. A part of the library if it is built with QUANTISED_DENSE_NVTX.

#include <cstring>

const char* quantised_dense_range(const char* step) {
  struct Name {
    const char* step;
    const char* range;
  };
  static constexpr Name kNames[] = {
      {"product", "product: y  (quantised_dense.grain:9)"},
      {"scale", "scale: reduce  (quantised_dense.grain:6)"},
      {nullptr, nullptr},
  };
  const Name* name = kNames;
  while (name->step != nullptr && std::strcmp(name->step, step) != 0) ++name;
  return name->step != nullptr ? name->range : step;
}
