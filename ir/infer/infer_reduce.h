// Shape rules of reductions, maps, scans and sorts: ops that call a computation on elements.
#pragma once

#include "ir/ops/op_table.h"

namespace sinter {

ShapeResult infer_reduce(const Instruction& instruction);
ShapeError verify_reduce(const Instruction& instruction);
ShapeResult infer_map(const Instruction& instruction);
ShapeError verify_map(const Instruction& instruction);
ShapeResult infer_scan(const Instruction& instruction);
ShapeError verify_scan(const Instruction& instruction);
ShapeResult infer_sort(const Instruction& instruction);
ShapeError verify_sort(const Instruction& instruction);
ShapeResult infer_topk(const Instruction& instruction);

// The operands are N arrays of equal dimensions and N scalars of their element types (reduce, reduce-window).
ShapeError check_arrays_and_inits(const Instruction& instruction);
// to_apply combines N accumulators and N elements into N accumulators, all scalars of those types.
ShapeError check_combiner(const Instruction& instruction);

}  // namespace sinter
