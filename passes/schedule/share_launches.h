// Kernels of the program's own level that need nothing of each other share a launch, a range of its blocks each: the
// tensors of an optimiser, say. Each launch costs the host and the device microseconds, however little it computes.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/module.h"
#include "passes/schedule/group_values.h"

namespace sinter {

struct SharedLaunch {
  std::vector<size_t> groups;   // positions; a single one has its launch to itself
  int64_t block = 0;            // of several: threads a block, ...
  std::vector<int64_t> blocks;  // ... and blocks of each
};

// The launches, in order; what the host runs otherwise is one too. `groups` are those of the module's entry, each after
// those it reads.
std::vector<SharedLaunch> share_launches(const Module& module, const std::vector<Group>& groups);

}  // namespace sinter
