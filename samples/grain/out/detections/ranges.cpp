// ranges.cpp: how profilers call the steps of detections: by the HLO that they
// compute. A part of the library if it is built with DETECTIONS_NVTX.

#include <cstring>

const char* detections_range(const char* step) {
  struct Name {
    const char* step;
    const char* range;
  };
  static constexpr Name kNames[] = {
      {"detections", "detections: box_left, box_top, box_right, box_bottom, ...  (detections.grain:20)"},
      {"score", "score: score, order  (detections.grain:19)"},
      {"strength", "strength: strength  (detections.grain:18)"},
      {nullptr, nullptr},
  };
  const Name* name = kNames;
  while (name->step != nullptr && std::strcmp(name->step, step) != 0) ++name;
  return name->step != nullptr ? name->range : step;
}
