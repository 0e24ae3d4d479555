// Of which rows of an array a block of a row kernel reads or writes elements: where they are the block's own alone,
// what another block stores is no reason to wait (passes/lower/host/waits.h).
#pragma once

#include <cstdint>

#include "passes/demand/demand.h"
#include "passes/lower/write/lowered_kernel.h"

namespace sinter {

// Sets Parameter::share. `row`: the coordinate of the graph that counts the rows, of which a block has `each`, in the
// order of the blocks.
void add_block_shares(const DemandGraph& graph, int row, int64_t rows, int64_t each, LoweredKernel* lowered);

}  // namespace sinter
