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

// What steps wait for at one place: the one before which it stands, and those behind it that go on without another
// wait.
struct StepCause {
  const HostStep* step;
  WaitCause cause;
};
using WaitCauses = std::vector<StepCause>;

struct Waits {
  // All blocks wait before these; of a kWhile: before they read its condition.
  std::set<const HostStep*> before;
  // And before the first step of these loops, where each of their steps would wait at the same place else.
  std::set<const HostStep*> before_loop;
  // Instead, at the first of so many steps in a row that have one block each, or few short ones: the block that comes
  // last does them alone, and the others wait for it.
  std::map<const HostStep*, size_t> last_block;
  // The threads of each block wait for one another before these; of what the last block does alone, before those that
  // need what it has done since its threads last did.
  std::set<const HostStep*> in_block;
  std::map<const HostStep*, WaitCauses> causes;  // of each

  // Whether a block waits for another one.
  bool any() const { return !before.empty() || !before_loop.empty(); }
};

// Blocks of a step that one block may do one after the other.
inline constexpr int64_t kMostAlone = 4;

// Whether the launch has one block, or up to `most` of which all but the first together take less time than a wait:
// where it waits, one block does it while the others wait for that one.
bool has_few_blocks(const Kernel& kernel, int64_t most);

// Where a step's argument may be. Pointers that take turns are never one array: each stands for what it points to.
std::set<size_t> arrays_of(const HostPlan& plan, size_t buffer);

// Whether no step has more than one block.
bool has_one_block(const Program& program, const std::vector<HostStep>& steps);

// Of the steps of a launch that begins with them: launches, copies, clears, and loops of these. Which pointer a step
// moves along is not followed: one may be any of its places. `one_block`: nothing is left to the last of several.
Waits find_waits(const Program& program, const std::vector<HostStep>& steps, bool one_block = false);

// Puts steps of such a launch that need nothing of one another into an order in which blocks wait less often, if there
// is one.
void order_steps(const Program& program, std::vector<HostStep>* steps);

}  // namespace sinter
