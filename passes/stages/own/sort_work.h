// What sorting takes: stages that sort count it alike. Measured on an H200: in shared memory a sort waits for loads
// that need each other, or for the banks, where there are many rows.
#pragma once

#include "ir/kernel/work.h"
#include "ir/module/module.h"

namespace sinter {

// Instructions that say whether an element stands before another.
double comparison_work(const Computation& comparator);

// What a block sorts: elements of `bytes` bytes in `blocks` blocks of so many, of which a thread has `items`.
struct SortedBlocks {
  int64_t blocks = 1, elements = 1;
  int64_t items = 1, bytes = 4;
  double comparison = 1;
};

// block_sort: the chain is that of one block. Loads and stores of device memory are counted with it.
Work block_sort_work(const SortedBlocks& sorted);
// merge_runs, one level: `ways` runs of `run` elements.
Work merge_work(const SortedBlocks& sorted, int64_t run, int64_t ways);

// One after the other, as launches of one stage.
void add_work(const Work& work, Work* sum);

}  // namespace sinter
