// What a kernel needs of a launch that it is to share with others (share_launches.h, last_block.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "passes/schedule/groups/group_values.h"

namespace sinter {

struct LaunchPart {
  int64_t threads = 0;   // in all, if any block will do, ...
  int64_t together = 1;  // ... of which so many stay in one block
  int64_t block = 0;     // else the block that it needs, ...
  int64_t blocks = 0;    // ... and how many of them
  bool loops = false;    // may have many registers
};
// nullopt for what the host runs, several launches, and kernels whose blocks want a multiprocessor each.
std::optional<LaunchPart> launch_part(const Group& group);

// Of a group: the arrays it reads, and those whose memory its results may take: parameters, a loop's state.
struct GroupArrays {
  std::set<const Instruction*> reads, writes;
};
bool meets(const std::set<const Instruction*>& a, const std::set<const Instruction*>& b);

// Launches have a limit of parts, and of pointers that are passed: 8 bytes each, of the 4 KiB that every device takes.
inline constexpr size_t kMostParts = 64;
inline constexpr size_t kMostPointers = 480;

}  // namespace sinter
