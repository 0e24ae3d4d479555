// What the tree says of a group's kernel.
#pragma once

#include <cstdint>
#include <string>

#include "passes/schedule/groups/group_values.h"
#include "passes/schedule/tree/tree.h"

namespace sinter {

struct StageLine {
  std::string schedule;  // of its stages: "row(warp)"
  StageDomain domain;    // which elements are its threads
  int64_t grid[3] = {1, 1, 1};
  int64_t block[3] = {1, 1, 1};
};

// Of a finished group; the rest as for choose_contract.
StageLine stage_line(const Group& group, const Gpu* gpu, bool tensor_cores);

}  // namespace sinter
