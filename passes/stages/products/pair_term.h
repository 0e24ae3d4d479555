// What a term that is no product reads beside an element of each operand (PairTerm, contract.h).
#pragma once

#include <optional>

#include "passes/stages/products/contract.h"

namespace sinter {

// What elements of arrays that the term's graph loads are read for: which of its coordinates they move with. Others are
// numbers.
struct TermLoad {
  bool row = false, column = false, term = false;
  bool of_result() const { return row || column; }
};

// nullopt: no load.
inline std::optional<TermLoad> term_load(const ContractDemand& demand, const DemandNode& node) {
  if (node.kind != DemandNode::Kind::kLoad) return std::nullopt;
  return TermLoad{.row = node.expr.reads_coordinate(demand.row),
                  .column = node.expr.reads_coordinate(demand.column),
                  .term = node.expr.reads_coordinate(demand.pair->term)};
}

}  // namespace sinter
