// Of which rows of an array a block of a row kernel, or of a map, reads or writes elements: where they are the block's
// own alone, what another block stores is no reason to wait (passes/lower/host/waits.h).
#pragma once

#include <cstdint>
#include <map>

#include "passes/demand/demand.h"
#include "passes/lower/write/lowered_kernel.h"

namespace sinter {

// Of arrays that a graph's loads and stores are of, how far their rows are apart; 0 where an element may be of any row.
struct ShareStrides {
  using Strides = std::map<const Instruction*, int64_t>;  // only looked up
  Strides read, written;
};

// `row`: the coordinate of the graph that counts the rows. Ask before coordinates are taken apart.
ShareStrides share_strides(const DemandGraph& graph, int row, int64_t rows);

// Sets Parameter::share. A block has `each` rows, in the order of the blocks.
void add_block_shares(const ShareStrides& known, int64_t rows, int64_t each, LoweredKernel* lowered);

}  // namespace sinter
