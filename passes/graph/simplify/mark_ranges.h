// The ranges of integers that indices are read from are noted on them.
#pragma once

#include "passes/graph/base/graph_pass.h"

namespace sinter {

bool mark_ranges(Module& module, const GraphPassOptions& options);

}  // namespace sinter
