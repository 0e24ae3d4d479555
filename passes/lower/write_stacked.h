// Reductions over all threads that a kernel's loops stack up (DemandLoop::Stack::reduce).
#pragma once

#include "passes/lower/lower_kernel.h"
#include "passes/lower/write_kernel.h"

namespace sinter {

// Shared memory for what a block's threads have of some steps, device memory for what blocks come to, and the counts
// that tell which block finishes last; of the device memory the shapes. Nothing where no loop stacks up a reduction.
ScratchShapes declare_stacked(const DemandGraph& graph, LoweredKernel* lowered, Expressions* expressions);

// What follows everything else: the `blocks` of the launch reduce what each has come to. Empty where no loop stacks up
// a reduction.
Block reduce_blocks(const DemandGraph& graph, const std::string& blocks, Expressions* expressions);

}  // namespace sinter
