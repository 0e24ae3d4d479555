// A demand graph as text, for tests: what threads compute, in which scope. Nodes that nothing stored needs are left
// out.
#pragma once

#include <string>

#include "passes/demand/demand.h"

namespace sinter {

std::string dump(const DemandGraph& graph);

}  // namespace sinter
