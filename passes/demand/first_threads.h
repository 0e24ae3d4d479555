// Small arrays beside a large one: the first threads of a map have an element of them each.
//
//   if (element < 24) centres[element] = sums[element] / counts[element / 3];
//
// What they compute for it is a scope of the kernel's own, beside scope 0, with one coordinate, which counts elements.
#pragma once

#include "passes/demand/demand.h"

namespace sinter {

// The coordinate of so many elements; made once.
int first_threads(DemandGraph* graph, int64_t elements);

bool is_of_first_threads(const DemandGraph& graph, size_t scope);

}  // namespace sinter
