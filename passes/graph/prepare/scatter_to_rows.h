// Many updates of many elements become updates of rows, sorted where their order matters.
#pragma once

#include "passes/graph/base/graph_pass.h"

namespace sinter {

bool scatter_to_rows(Module& module, const GraphPassOptions& options);

}  // namespace sinter
