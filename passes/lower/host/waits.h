// Where the blocks of one launch wait for one another: before a step that reads what another block may have written
// since they last did, or writes what another may still read. Where it is sure to be the same block, since rows of an
// array are divided alike among the blocks of both steps (BlockShare), the block's threads wait for one another alone.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <vector>

#include "passes/analysis/values/latencies.h"
#include "passes/lower/host/host_plan.h"

namespace sinter {

// From a store to a load by another thread of the block, behind a barrier.
inline constexpr double kBlockWaitCycles = kLoadCycles + kBarrierCycles;

// What a step waits for: that others have stored what it reads or writes again, and have read what it is about to
// write.
struct WaitCause {
  std::set<size_t> stored, read;  // arrays
};

struct Waits {
  // All blocks wait before these; of a kWhile: before they read its condition.
  std::set<const HostStep*> before;
  // And before the first step of these loops, where each of their steps would wait at the same place else.
  std::set<const HostStep*> before_loop;
  // Instead, at the first of so many steps in a row that have one block each, or few short ones: the block that comes
  // last does them alone, and the others wait for it.
  std::map<const HostStep*, size_t> last_block;
  std::set<const HostStep*> in_block;           // the threads of each block wait for one another before these
  std::map<const HostStep*, WaitCause> causes;  // of each

  // Whether a block waits for another one.
  bool any() const { return !before.empty() || !before_loop.empty(); }
};

// Blocks of a step that one block may do one after the other.
inline constexpr int64_t kMostAlone = 4;

// Whether the launch has one block, or up to `most` of which all but the first together take less time than a wait:
// where it waits, one block does it while the others wait for that one.
bool has_few_blocks(const Kernel& kernel, int64_t most);

// Whether no step has more than one block.
bool has_one_block(const Program& program, const std::vector<HostStep>& steps);

// Of the steps of a launch that begins with them: launches, copies, clears, and loops of these. Which pointer a step
// moves along is not followed: one may be any of its places. `one_block`: nothing is left to the last of several.
Waits find_waits(const Program& program, const std::vector<HostStep>& steps, bool one_block = false);

// Puts steps of such a launch that need nothing of one another into an order in which blocks wait less often, if there
// is one.
void order_steps(const Program& program, std::vector<HostStep>* steps);

}  // namespace sinter
