// Which kernels of a level share a launch. Each launch costs the host and the device microseconds, however little it
// computes.
//
// Kernels of the program's own level that need nothing of each other have a range of a launch's blocks each: the
// tensors of an optimiser, say. Those of one block that wait for such a launch are computed by its last block
// (last_block.h).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "ir/module/module.h"
#include "passes/schedule/groups/group_values.h"

namespace sinter {

struct SharedLaunch {
  std::vector<size_t> groups;   // positions; a single one has its launch to itself
  int64_t block = 0;            // of several groups: threads a block, ...
  std::vector<int64_t> blocks;  // ... and blocks of each
  std::vector<size_t> last;     // groups that the last block computes, one after the other
};

// The launches, in order; what the host runs otherwise is one too. `groups` are those of the level, each after those
// it reads. None is predicted to take longer than those it replaces (launch_cost.h), unless `gpu` is nullptr.
std::vector<SharedLaunch> plan_launches(const Module& module, const LevelContext& level,
                                        const std::vector<Group>& groups, const Moves& moves, const Gpu* gpu);

// What the kernels of the level take in those launches, in microseconds; nullopt where a kernel's cost is not known.
std::optional<double> predicted_launches(const Module& module, const LevelContext& level,
                                         const std::vector<Group>& groups, const Moves& moves, const Gpu& gpu);

// By a level's results: the arrays whose memory they may take, donated parameters or what a loop's state was.
std::map<const Instruction*, std::set<const Instruction*>> find_written_over(const Module& module,
                                                                             const LevelContext& level);

}  // namespace sinter
