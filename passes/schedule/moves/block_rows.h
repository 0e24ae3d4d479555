// Another choice: kernels one after the other that scan rows, reduce them and compute what has an element for each of
// theirs become one, in which a block has a row, a thread an element of it: the row is read once, and what one of them
// made of it for the others stays in registers.
//
//   kernel running_sum grid 4096 block 256 {
//     stage scan {running_sum}
//   }                                               kernel sum grid 4096 block 512 {
//   kernel sum grid 1024 block 128 {         =>       stage map over [4096,512] in blocks of [512] {
//     stage row(warp) {product sum}                     running_sum product sum
//   }                                                 }
//                                                   }
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ir/module/module.h"
#include "passes/schedule/tree/tree.h"

namespace sinter {

struct RowsInBlocks {
  Tree tree;
  std::vector<std::string> kept;  // values that nothing but the new kernel reads
};

// Trees in which the kernel of a scan is one with kernels beside it: with as many as may be first. Whether they can be
// lowered remains to be tried.
std::vector<RowsInBlocks> join_in_blocks(const InstructionsByName& instructions, const Tree& tree,
                                         const Instruction& scan);

}  // namespace sinter
