// Loads of a thread that are one access of up to 16 bytes: what it reads of neighbours, as those of a cell are.
//
//   a = x[2 * element]; b = x[2 * element + 1]      =>      x_values = load_vector<2>(x + 2 * element)
#pragma once

#include <vector>

#include "passes/demand/demand.h"

namespace sinter {

struct LoadRun {
  int scope = 0;              // in which all of them stand
  std::vector<NodeId> loads;  // neighbours, the first one aligned; as many as a power of two
};

// Of a kernel whose threads have an element each, without loops: those that stand in the kernel itself, or in arms that
// are statements of their own.
std::vector<LoadRun> loads_at_once(const DemandGraph& graph);

}  // namespace sinter
