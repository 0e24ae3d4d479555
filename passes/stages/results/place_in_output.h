// Where an output of a product's kernel has an element of the product: transposes and reshapes may stand between.
#pragma once

#include <vector>

#include "ir/index/index_expr.h"
#include "passes/demand/demand.h"

namespace sinter {

// The index in `output` of the element `number` of `product`, in row-major order: that of the same number, but where
// transposes stand between, and neighbours along the last coordinate of `graph` are neighbours in memory there.
// `product` is nullptr where outputs have its elements in its order alone.
std::vector<IndexExpr> place_in_output(const DemandContext& context, const Instruction* product,
                                       const Instruction& output, const IndexExpr& number, const DemandGraph& graph);

}  // namespace sinter
