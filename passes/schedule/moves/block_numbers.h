// Numbers that are dear and the same for all threads of a kernel of elements (a power of the step, a key split from
// another) have their home in shared memory: one thread of each block computes them.
//
//   if (threadIdx.x == 0) shared.correction = 1.0f - powf(0.9f, float(step[0]));
//   __syncthreads();
//   const float correction = shared.correction;
//
// Where all threads of the grid have elements, their vector loads come first: they are under way meanwhile.
#pragma once

#include <vector>

#include "ir/module/module.h"
#include "passes/schedule/tree/tree.h"
#include "passes/stages/domain/domain.h"

namespace sinter {

// Gives such values that home in the tree, where a kernel has elements enough: one barrier costs more than few threads.
void share_numbers(const InstructionsByName& instructions, Tree* tree);

// The nodes of `numbers`, values of one element, in the demand graph of a map kernel without loops; nullopt if one is
// not the same for all threads. Those that it does not need have none.
std::optional<std::vector<NodeId>> find_block_numbers(const MapDemand& demand,
                                                      const std::vector<const Instruction*>& numbers);

// Rewrites the graph so (DemandGraph::first_thread, kOfBlock).
void compute_for_block(DemandGraph* graph, const std::vector<NodeId>& numbers);

}  // namespace sinter
