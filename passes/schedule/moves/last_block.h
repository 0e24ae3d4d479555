// A kernel of one block that waits for another kernel is computed by that kernel's last block, the one that finishes
// when all others have: the sum of what blocks summed up, the loss, a step counter. That is a launch less.
#pragma once

#include <vector>

#include "passes/schedule/moves/launch_part.h"
#include "passes/schedule/moves/share_launches.h"

namespace sinter {

// Makes launches of `launches`, which are in order, parts of those before, where that is not predicted to take longer.
std::vector<SharedLaunch> compute_in_last_blocks(const std::vector<Group>& groups,
                                                 const std::vector<GroupArrays>& arrays, const Gpu* gpu,
                                                 std::vector<SharedLaunch> launches);

}  // namespace sinter
