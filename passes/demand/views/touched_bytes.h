// How much of each array a launch of a kernel touches, from its demand graph.
#pragma once

#include <cstdint>
#include <map>

#include "passes/demand/demand.h"

namespace sinter {

// By array: distinct bytes that one launch loads and stores, or a bound: every guard counts as passed, and an index
// that depends on data as another element each time. Never more than the array.
struct TouchedBytes {
  std::map<const Instruction*, int64_t> read, written;
};
TouchedBytes touched_bytes(const DemandGraph& graph);

}  // namespace sinter
