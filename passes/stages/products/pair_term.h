// What a term that is no product reads beside an element of each operand (PairTerm, contract.h).
#pragma once

#include "passes/demand/demand.h"

namespace sinter {

// Whether a node of the term's graph is read from an array, once for each result; other loads are numbers.
inline bool is_of_result(const DemandNode& node) {
  return node.kind == DemandNode::Kind::kLoad && !node.expr.terms().empty();
}

}  // namespace sinter
