// What is known of the magnitude of an f32 in a kernel: bounds that hold for all inputs.
#pragma once

#include <limits>

#include "passes/demand/demand.h"

namespace sinter {

// It is at least `least` and at most `most`, unless it is NaN, or zero and `zero` is set.
struct Magnitude {
  double least = 0;
  double most = std::numeric_limits<double>::infinity();
  bool zero = true;
};

Magnitude magnitude(const DemandGraph& graph, NodeId id);

}  // namespace sinter
