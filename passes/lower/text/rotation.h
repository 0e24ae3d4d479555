// Shifts by constants, and the pairs of them that rotate: (x << n) | (x >> (bits - n)).
#pragma once

#include <cstdint>
#include <optional>

#include "passes/demand/demand.h"

namespace sinter {

// A shift by a constant that is less than the width of the type; others need a helper that says what they give.
std::optional<int64_t> constant_shift(const DemandGraph& graph, const DemandNode& node);

struct Rotation {
  NodeId operand = kNoNode;
  int64_t amount = 0;  // to the left
};

// Set if the node is the `or` of two shifts that rotate an unsigned number. Its spelling then reads the number, not the
// shifts.
std::optional<Rotation> rotation(const DemandGraph& graph, NodeId node);

}  // namespace sinter
