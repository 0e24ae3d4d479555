// What the files of this room that count work share: products, and what one thread makes of a demand graph.
#pragma once

#include "ir/kernel/work.h"
#include "ir/values/dtype.h"
#include "passes/analysis/values/latencies.h"
#include "passes/demand/demand.h"
#include "passes/demand/views/store_runs.h"
#include "passes/stages/domain/domain.h"

namespace sinter {

// So many products, each added to a sum, of a dot or the like, in the type that sums are made in.
void add_products(DType dtype, double count, Work* work);

// An element of an elementwise operation; `chain` is what its result waits for after its operands.
Work elementwise_work(const Instruction& instruction);

// Of one thread that makes what the graph demands, but for its registers.
Work graph_work(const DemandGraph& graph);
// Cycles until blocks have combined what each has stacked up (templates/device/block_tree.cuh).
double combine_blocks(const MapDemand& demand);
// Registers that hold its values at a time, of so many neighbouring elements.
double graph_registers(const DemandGraph& graph, double lanes);
// Of a kernel that needs so many for its values.
int whole_registers(double registers);

}  // namespace sinter
