// Rule of simplify: whether any term of a product of truths holds, and how many do, follows from a product of bytes,
// which tensor cores make: of edges that follow each other, of sets that have an element in common.
//
//   reduce(and(broadcast(pred %a), broadcast(pred %b)), false), to_apply=or
//                                                         =>
//   compare(dot(convert(s8 %a), convert(s8 %b)), 0), direction=NE
//
// Counts are below 2^31. Of few results, or terms, it stays as it is.
#include <algorithm>
#include <optional>

#include "passes/analysis/functions/combiner.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/rewrite.h"
#include "passes/graph/simplify/simplify_rules.h"

namespace sinter {
namespace {

using Value = GraphBuilder::Value;
using Dims = std::vector<int64_t>;

constexpr int64_t kLeastProductSide = 32, kLeastProductTerms = int64_t{1} << 22;

// The array whose elements a conjunction reads of one of its operands.
struct Truths {
  Instruction* array = nullptr;
  Dims dims;  // of the conjunction, in their order
  bool has(int64_t dim) const { return std::ranges::count(dims, dim) > 0; }
  int64_t place(int64_t dim) const { return std::ranges::find(dims, dim) - dims.begin(); }
};

std::optional<Truths> truths_of(Instruction& operand) {
  if (operand.opcode != Opcode::kBroadcast || operand.shape.dtype != DType::kPred) return std::nullopt;
  Truths truths = {.array = operand.operand(0), .dims = *operand.attributes->dimensions};
  return std::ranges::is_sorted(truths.dims) ? std::optional(std::move(truths)) : std::nullopt;
}

}  // namespace

Instruction* simplify_boolean_product(Instruction& reduce) {
  if (reduce.operands().size() != 2 || !reduce.shape.is_array()) return nullptr;
  const DType dtype = reduce.shape.dtype;
  const bool counts = dtype == DType::kS32;
  if (!counts && dtype != DType::kPred) return nullptr;
  const std::optional<Opcode> combiner = simple_combiner(**reduce.attributes->to_apply);
  const std::optional<Literal> begin = splat_value(*reduce.operand(1));
  if (combiner != (counts ? Opcode::kAdd : Opcode::kOr) || !begin || begin->integer_at(0) != 0) return nullptr;
  Instruction* terms = reduce.operand(0);
  if (counts) {
    if (terms->opcode != Opcode::kConvert) return nullptr;
    terms = terms->operand(0);
  }
  if (terms->opcode != Opcode::kAnd || terms->shape.dtype != DType::kPred || !terms->shape.is_static()) return nullptr;
  std::optional<Truths> sides[2] = {truths_of(*terms->operand(0)), truths_of(*terms->operand(1))};
  if (!sides[0] || !sides[1]) return nullptr;

  // In the order of the result: the batch, what is one side's alone, what is the other's.
  const Dims& reduced = *reduce.attributes->dimensions;
  Dims batch, own[2], summed;
  int64_t results = 1, count = 1;
  for (int64_t dim = 0; dim < terms->shape.rank(); ++dim) {
    const bool is_of[2] = {sides[0]->has(dim), sides[1]->has(dim)};
    const bool is_summed = std::ranges::count(reduced, dim) > 0;
    if (!is_of[0] && !is_of[1]) return nullptr;
    if (is_summed && !(is_of[0] && is_of[1])) return nullptr;
    (is_summed ? summed : is_of[0] && is_of[1] ? batch : own[is_of[0] ? 0 : 1]).push_back(dim);
    (is_summed ? count : results) *= terms->shape.dims[static_cast<size_t>(dim)];
  }
  if (own[0].empty() || own[1].empty()) return nullptr;
  if (own[0][0] > own[1][0]) {
    std::swap(sides[0], sides[1]);
    std::swap(own[0], own[1]);
  }
  Dims order = batch;
  for (const Dims& side : own) order.insert(order.end(), side.begin(), side.end());
  if (!std::ranges::is_sorted(order)) return nullptr;
  const auto extent = [&](const Dims& dims) {
    int64_t elements = 1;
    for (const int64_t dim : dims) elements *= terms->shape.dims[static_cast<size_t>(dim)];
    return elements;
  };
  if (std::min({extent(own[0]), extent(own[1]), count}) < kLeastProductSide || count > INT32_MAX ||
      results < kLeastProductTerms / count)
    return nullptr;

  GraphBuilder build(reduce);
  Attributes attributes;
  const auto places = [](const Truths& side, const Dims& dims) {
    Dims all;
    for (const int64_t dim : dims) all.push_back(side.place(dim));
    return all;
  };
  attributes.lhs_batch_dims = places(*sides[0], batch);
  attributes.rhs_batch_dims = places(*sides[1], batch);
  attributes.lhs_contracting_dims = places(*sides[0], summed);
  attributes.rhs_contracting_dims = places(*sides[1], summed);
  const Value bytes[2] = {build.convert(sides[0]->array, DType::kS8), build.convert(sides[1]->array, DType::kS8)};
  Instruction* counted = insert_like(reduce, Opcode::kDot, Shape::array(DType::kS32, reduce.shape.dims),
                                     {bytes[0], bytes[1]}, std::move(attributes));
  return counts ? counted : build.compare({counted, build.integer(DType::kS32, 0, reduce.shape.dims)}, "NE");
}

}  // namespace sinter
