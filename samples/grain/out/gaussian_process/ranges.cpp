// ranges.cpp: how profilers call the steps of cholesky_solve: by the HLO that they
// compute. A part of the library if it is built with CHOLESKY_SOLVE_NVTX.

#include <cstring>

const char* cholesky_solve_range(const char* step) {
  struct Name {
    const char* step;
    const char* range;
  };
  static constexpr Name kNames[] = {
      {"factor", "factor: cholesky  (gaussian_process.grain:11)"},
      {"full", "full: full  (gaussian_process.grain:15)"},
      {"half", "half: half  (gaussian_process.grain:14)"},
      {"kernel", "kernel: reduce  (gaussian_process.grain:5), and 1 more"},
      {"variance", "variance: centre, variance  (gaussian_process.grain:16)"},
      {nullptr, nullptr},
  };
  const Name* name = kNames;
  while (name->step != nullptr && std::strcmp(name->step, step) != 0) ++name;
  return name->step != nullptr ? name->range : step;
}
