// ranges.cpp: how profilers call the steps of oscillators: by the HLO that they
// compute. A part of the library if it is built with OSCILLATORS_NVTX.

#include <cstring>

const char* oscillators_range(const char* step) {
  struct Name {
    const char* step;
    const char* range;
  };
  static constexpr Name kNames[] = {
      {"oscillators", "oscillators: div.3, get-tuple-element.57, get-tuple-element.58, get-tuple-element.59  (make_samples.py:68)"},
      {"step", "step: get-tuple-element.22, get-tuple-element.23, get-tuple-element.36, get-tuple-element.37, ...  (make_samples.py:67)"},
      {nullptr, nullptr},
  };
  const Name* name = kNames;
  while (name->step != nullptr && std::strcmp(name->step, step) != 0) ++name;
  return name->step != nullptr ? name->range : step;
}
