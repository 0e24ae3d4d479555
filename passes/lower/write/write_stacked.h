// Reductions over all threads that a kernel's loops stack up (DemandLoop::Stack::reduce).
#pragma once

#include "passes/lower/write/lowered_kernel.h"
#include "passes/lower/write/write_kernel.h"

namespace sinter {

// Shared memory for what a block's threads have of some steps, device memory for what blocks come to, and the counts
// that tell which block finishes last; of the device memory the shapes. Nothing where no loop stacks up a reduction.
ScratchShapes declare_stacked(const DemandGraph& graph, LoweredKernel* lowered, Expressions* expressions);

// The counts that a tree of so many blocks needs (device/block_tree.cuh): one for each group of blocks, of groups, and
// so on.
int64_t tree_counts(int64_t blocks);

// What blocks reduce in a tree: each of `columns` columns of the rows that they have stored, from an initial value.
struct TreeReduction {
  const Expr* of_blocks = nullptr;
  const Expr* columns = nullptr;
  const Expr* initial = nullptr;
  const Expr* results = nullptr;
  const Expr* combine = nullptr;
};
// The statements by which the `blocks` of the launch do so; `block` is the number of one.
Block tree_of_blocks(Kernel* kernel, const Expr* block, const std::string& blocks, const Expr* finished,
                     const std::vector<TreeReduction>& reductions);

// What follows everything else: the `blocks` of the launch reduce what each has come to. Empty where no loop stacks up
// a reduction.
Block reduce_blocks(const DemandGraph& graph, const std::string& blocks, Expressions* expressions);

}  // namespace sinter
