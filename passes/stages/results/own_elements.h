// What a kernel makes of the elements of an operation that has a stage of its own: these come to it as parameters.
#pragma once

#include <optional>
#include <vector>

#include "passes/demand/demand.h"

namespace sinter {

// The elements of `source` that a graph loads become its parameters; nullopt if one is not at `own`, the linear index.
std::optional<std::vector<NodeId>> own_elements(DemandGraph* graph, const Instruction& source, const IndexExpr& own);

}  // namespace sinter
