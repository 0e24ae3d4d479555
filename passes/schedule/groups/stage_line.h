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

// How the kernels of a loop of grid scope are made.
struct GridLoop {
  int64_t block = 256;         // threads a block, of products too where these have a form of so many
  bool block_rows = false;     // rows that have a warp each have a block each, if that is no longer than they
  bool keeps_weights = false;  // products keep what no step changes in shared memory (resident_contract)
};

// Of a finished group, in blocks of so many threads where these are shared with others; 0: its own. `grid`: the loop of
// grid scope that it is a step's kernel of, or nullptr. The rest as for choose_contract.
StageLine stage_line(const Group& group, int64_t block, const Gpu* gpu, bool tensor_cores, const GridLoop* grid);

// Whether a finished group is a stage of its own whose threads wait for no others (own_stage.h).
bool has_lone_threads(const Group& group);

}  // namespace sinter
