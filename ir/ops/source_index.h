// Index maps with one source and no guard: the index into operand 0 of a result element.
#pragma once

#include <vector>

#include "ir/index/index_expr.h"
#include "ir/module/module.h"

namespace sinter {

std::vector<IndexExpr> broadcast_source_index(const Instruction& instruction, const std::vector<IndexExpr>& index);
std::vector<IndexExpr> reshape_source_index(const Instruction& instruction, const std::vector<IndexExpr>& index);
std::vector<IndexExpr> transpose_source_index(const Instruction& instruction, const std::vector<IndexExpr>& index);
std::vector<IndexExpr> reverse_source_index(const Instruction& instruction, const std::vector<IndexExpr>& index);
std::vector<IndexExpr> slice_source_index(const Instruction& instruction, const std::vector<IndexExpr>& index);

}  // namespace sinter
