// ranges.cpp: how profilers call the steps of logsumexp: by the HLO that they
// compute. A part of the library if it is built with LOGSUMEXP_NVTX.

#include <cstring>

const char* logsumexp_range(const char* step) {
  struct Name {
    const char* step;
    const char* range;
  };
  static constexpr Name kNames[] = {
      {"logsumexp", "logsumexp: add.1  (elementwise.py:33)"},
      {nullptr, nullptr},
  };
  const Name* name = kNames;
  while (name->step != nullptr && std::strcmp(name->step, step) != 0) ++name;
  return name->step != nullptr ? name->range : step;
}
