// Stores of a thread that are one access of up to 16 bytes: what a thread has of a row that is stacked up, say.
//
//   y[4 * element] = a; y[4 * element + 1] = b; ...      =>      store_vector(y + 4 * element, {a, b, c, d})
#pragma once

#include <cstdint>
#include <vector>

#include "passes/demand/demand.h"

namespace sinter {

// Of each store of the graph: how many of those from it on are one access; 0: an earlier one has it.
std::vector<int64_t> stores_at_once(const DemandGraph& graph);
// Those that begin an access.
std::vector<const DemandStore*> first_stores(const DemandGraph& graph);

}  // namespace sinter
