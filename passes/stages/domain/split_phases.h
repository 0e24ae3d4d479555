// Passes of a row kernel over its columns. What a reduction's result is needed for comes in a later pass than the
// reduction; elements that later passes need again are kept in registers if they are loaded or dear, else computed
// again.
#pragma once

#include "passes/stages/domain/domain.h"

namespace sinter {

// Registers that kept elements may take.
inline constexpr int64_t kKeptRegisters = 64;

// Rewrites the graph: one scope a pass, with copies of the nodes it computes. `threads` share a row; nothing is kept
// where a thread has more columns than its registers would do for. False if the passes compute more than `most_nodes`
// together, each of which may be a copy of what the others compute: the graph is of no use then.
bool split_phases(RowDemand* demand, int64_t threads, int64_t most_nodes = INT64_MAX);

}  // namespace sinter
