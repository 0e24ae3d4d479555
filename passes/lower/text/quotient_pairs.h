// Two divisions with one check (templates/device/divide_twice.cuh): q = n / d, and a product of q and other factors
// divided by a constant. Where q is not tiny, that product is not either.
#pragma once

#include <map>
#include <vector>

#include "passes/demand/demand.h"

namespace sinter {

struct QuotientPair {
  NodeId second = kNoNode;
  std::vector<NodeId> factors;  // of the product, in the order of its multiplications; never empty
};

// The pairs of a graph's f32 divisions, by the first of each. Both are computed in one scope, wherever either is; the
// factors do not depend on the first.
std::map<NodeId, QuotientPair> quotient_pairs(const DemandGraph& graph);

}  // namespace sinter
