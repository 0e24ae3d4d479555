// sort_to_scatter: sorting by numbers that are a permutation of 0, 1, 2, ... brings each element to the place that its
// number says, so that it can be written there at once: the second sort of argsort(argsort(x)), or one that undoes
// another.
//
//   %rank = get-tuple-element(sort(%order, %x), dimensions={0}), index=1     (%order a permutation)
//                                                         =>
//   %rank = scatter(zeros, %order, %x), unique_indices=true, to_apply=second
//
// Short rows are sorted in a launch, which a scatter takes two of.
#include <optional>
#include <vector>

#include "passes/analysis/loops/index_order.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"

namespace sinter {
namespace {

// Elements of a row, from which on a scatter of it takes less time.
constexpr int64_t kLeastScattered = 4096;

bool sorts_permutation(const Instruction& sort, const Ranges& ranges, const IndexOrder& order) {
  const Instruction& key = *sort.operand(0);
  const int64_t along = sort.attributes->dimensions->front(), count = key.shape.dims[along];
  if (count < kLeastScattered || !sorts_ascending(sort) || !is_integer(key.shape.dtype)) return false;
  return ranges.of(key) == Interval{0, count - 1} && order.differ(key, along);
}

// What a sort gives of one of its operands.
Instruction* placed(GraphBuilder& builder, Module& module, const Instruction& sort, size_t number) {
  Instruction* key = sort.operand(0);
  const std::vector<int64_t>& dims = key->shape.dims;
  const int64_t along = sort.attributes->dimensions->front();
  if (number == 0) return builder.iota(key->shape.dtype, dims, along);
  Instruction* values = sort.operand(number);
  const DType dtype = values->shape.dtype;
  std::vector<int64_t> batching;
  for (int64_t d = 0; d < std::ssize(dims); ++d) {
    if (d != along) batching.push_back(d);
  }
  Attributes attributes;
  attributes.update_window_dims = std::vector<int64_t>{};
  attributes.inserted_window_dims = std::vector<int64_t>{along};
  attributes.scatter_dims_to_operand_dims = std::vector<int64_t>{along};
  if (!batching.empty()) attributes.input_batching_dims = attributes.scatter_indices_batching_dims = batching;
  attributes.index_vector_dim = std::ssize(dims);
  attributes.unique_indices = true;
  attributes.to_apply = take_second(module, dtype);
  Instruction* nothing = builder.splat(builder.constant(Literal(Shape::scalar(dtype))), dims);
  return builder.make(Opcode::kScatter, {nothing, key, values}, std::move(attributes));
}

}  // namespace

bool sort_to_scatter(Module& module, const GraphPassOptions&) {
  std::vector<Instruction*> sorts = instructions_of(module, Opcode::kSort);
  std::erase_if(sorts, [](const Instruction* sort) { return sort->operands().empty() || !sort->shape.is_tuple(); });
  if (sorts.empty()) return false;
  const Ranges ranges(module);
  const IndexOrder order(ranges);
  std::erase_if(sorts, [&](const Instruction* sort) { return !sorts_permutation(*sort, ranges, order); });
  bool changed = false;
  for (Instruction* sort : sorts) {
    const std::vector<Instruction*> users(sort->users().begin(), sort->users().end());
    for (Instruction* user : users) {
      if (user->opcode != Opcode::kGetTupleElement) continue;
      GraphBuilder builder(*user);
      user->replace_all_uses_with(placed(builder, module, *sort, static_cast<size_t>(*user->attributes->tuple_index)));
      changed = true;
    }
  }
  if (!changed) return false;
  module.sort_computations();
  remove_dead_code(module);
  return true;
}

}  // namespace sinter
