// Whether the threads of a map kernel may take several neighbouring elements each, with 16-byte accesses.
#pragma once

#include <cstdint>

#include "passes/stages/domain/domain.h"

namespace sinter {

// Elements a thread may take along the last dimension of the domain: 1, or a power of two, and what divides it, such
// that contiguous accesses are at most 16 bytes, and every row is whole accesses.
int64_t widest_vector(const MapDemand& demand);

// The collapsed domain: neighbouring dimensions that every access treats as one are one coordinate.
// Rewrites the graph's index expressions; returns the coordinates left, outermost first.
std::vector<int> collapse_coordinates(DemandGraph* graph, const std::vector<int>& coordinates);

}  // namespace sinter
