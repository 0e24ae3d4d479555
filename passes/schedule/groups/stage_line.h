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

// Of a finished group, in blocks of so many threads where these are shared with others; 0: its own. The rest as for
// choose_contract. `keeps_weights`: a product has its matrix in shared memory, if that fits (resident_contract).
StageLine stage_line(const Group& group, int64_t block, const Gpu* gpu, bool tensor_cores, bool keeps_weights);

// Whether a finished group is a stage of its own whose threads wait for no others (own_stage.h).
bool has_lone_threads(const Group& group);

}  // namespace sinter
