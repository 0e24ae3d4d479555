// Kernels that become functions of a launch: `run(block, ...)`, each in a namespace of its own.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "passes/lower/host/host_plan.h"

namespace sinter {

// What stands for blockIdx.x in a part.
inline constexpr const char* kBlock = "block";

// What the body calls the number of its block: `row` or `block` itself, if that is all it does with it; empty where it
// does not ask. blockIdx.x is kBlock already.
std::string name_block(Block* body);

// The part's constant that its launch spells as its grid: kBlocks, or kGridBlocks where it has another of that name.
void name_blocks(Kernel* part);

// Of a kernel: the numbers of its blocks, along all dimensions of its grid, are made of one, kBlock. True if the grid
// has several dimensions.
bool count_along_x(Kernel* kernel);

// The part goes without that constant, where its own text does not name it.
void forget_blocks(KernelPart* part);

// Makes of a kernel what `run` does for one of its blocks, whose number, along all dimensions, it is given.
KernelPart make_part(Kernel kernel);

// Of stages that are text (products, attention) the struct is, too: it has no members here.
inline bool has_shared(const Kernel& kernel) { return kernel.shared.bytes > 0 || !kernel.shared.members.empty(); }

// The shared memory of a launch of parts: what all have together, or, where that is more than a block has unasked, the
// same memory for one after the other.
void share_memory(Kernel* joint);

// Of parts that a block runs one after the other, those whose shared memory threads may still read.
class SharedInUse {
 public:
  // Part number `part` is next, behind a wait of the block's threads (`after_wait`) or not; `waits`: the last thing it
  // does is to wait. False: another's memory, or its own, is still in use, and the threads have to wait first.
  bool runs(const Kernel& joint, size_t part, bool after_wait, bool waits);

 private:
  std::set<size_t> in_use_;
};

// "update_1   5 x 16 blocks   sqrt, multiply over f32[64,16]": what stands in the table of a joint kernel's parts.
std::vector<std::string> describe_parts(const Kernel& joint);

// The comment that opens a launch of all steps of `loop`.
std::vector<std::string> describe_together(const Kernel& joint, const std::string& loop);

// The kernels without those that became parts, and with joint ones in the place of their first part; steps follow.
void replace_parts(const std::vector<bool>& is_part, std::map<size_t, Kernel> joints, std::vector<Kernel>* kernels,
                   std::vector<HostStep>* steps);

}  // namespace sinter
