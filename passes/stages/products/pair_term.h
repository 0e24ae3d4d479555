// What a term that is no product reads beside an element of each operand (PairTerm, contract.h).
#pragma once

#include <optional>

#include "passes/analysis/functions/emittable.h"
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

// Bytes of what a thread has of each result, or of those values of it that something reads.
inline int64_t bytes_of_result(const ContractDemand& demand, bool read_alone) {
  const auto bytes_of = [](DType dtype) { return int64_t{dtype_bytes(accumulator_type(dtype))}; };
  if (!demand.pair || demand.pair->values.empty()) return bytes_of(demand.dot->shape.dtype);
  int64_t bytes = 0;
  for (const PairTerm::Value& value : demand.pair->values) {
    if (value.result != nullptr || !read_alone) bytes += bytes_of(value.begin.shape().dtype);
  }
  return bytes;
}

// Of several values of a reduction, the one that stands for the product: the first that something reads.
inline size_t first_value(const PairTerm& pair) {
  size_t first = 0;
  while (first + 1 < pair.values.size() && pair.values[first].result == nullptr) ++first;
  return first;
}

}  // namespace sinter
