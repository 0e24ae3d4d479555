// expand_topk: the first k of long rows become the beginning of the sorted rows, where k is more than a block of
// threads keeps on its way through a row.
//
//   %t = (f32[8,1000], s32[8,1000]) topk(%x), k=1000   =>   %i = s32[8,100000] iota(), iota_dimension=1
//                                                           %s = (...) sort(%x, %i), dimensions={1}, is_stable=true
//                                                           slices [0:8], [0:1000] of both
//
// The custom calls for the first of rows (ir/module/topk_calls.h) become a topk, or such a sort by the function they
// name.
#include "passes/stages/own/topk_form.h"

#include <vector>

#include "ir/module/topk_calls.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"

namespace sinter {
namespace {

// Whether the first value stands before the second, floats in total order; positions have no say, the sort is stable.
Computation* comparator(Module& module, DType dtype, bool largest) {
  Computation* computation = module.add_computation(largest ? "greater" : "less");
  GraphBuilder build(*computation);
  const GraphBuilder::Value a = build.parameter(Shape::scalar(dtype), "a");
  const GraphBuilder::Value b = build.parameter(Shape::scalar(dtype), "b");
  build.parameter(Shape::scalar(DType::kS32), "i");
  build.parameter(Shape::scalar(DType::kS32), "j");
  const GraphBuilder::Value before = build.compare({a, b}, largest ? "GT" : "LT");
  if (is_float(dtype)) before->attributes.edit().comparison_type = "TOTALORDER";
  computation->set_root(before);
  return computation;
}

// The beginning of the arrays sorted stably along a dimension.
void become_sorted(Instruction& instruction, const std::vector<Instruction*>& arrays, int64_t dimension,
                   Computation* function) {
  GraphBuilder build(instruction);
  Attributes attributes;
  attributes.dimensions = std::vector<int64_t>{dimension};
  attributes.is_stable = true;
  attributes.to_apply = function;
  const GraphBuilder::Value sorted = build.make(Opcode::kSort, arrays, attributes);
  std::vector<GraphBuilder::Value> results;
  for (size_t i = 0; i < arrays.size(); ++i) {
    const GraphBuilder::Value all = arrays.size() == 1 ? sorted : build.tuple_element(sorted, static_cast<int64_t>(i));
    const int64_t count = instruction.shape.elements[i].dims[static_cast<size_t>(dimension)];
    results.push_back(build.slice(all, dimension, 0, count));
  }
  become(instruction, Opcode::kTuple, results);
}

void expand_one_topk(Instruction& topk) {
  const Shape shape = topk.operand(0)->shape;
  const int64_t last = shape.rank() - 1;
  const GraphBuilder::Value places = GraphBuilder(topk).iota(DType::kS32, shape.dims, last);
  become_sorted(topk, {topk.operand(0), places}, last,
                comparator(*topk.parent()->parent(), shape.dtype, topk.attributes->largest.value_or(true)));
}

bool expand_call(Instruction& instruction) {
  const std::optional<TopkCall> call = topk_call(instruction);
  if (!call) return false;
  if (call->is_topk) {
    Attributes attributes;
    attributes.k = instruction.shape.elements[0].dims.back();
    become(instruction, Opcode::kTopk, {instruction.operand(0)}, attributes);
  } else {
    const std::vector<Instruction*>& operands = instruction.operands();
    become_sorted(instruction, {operands.begin(), operands.begin() + static_cast<std::ptrdiff_t>(call->arrays)},
                  call->dimension, instruction.attributes->called_computations->front());
  }
  return true;
}

// True for a topk of which a block of threads could not keep the first.
bool is_large(const Instruction& topk) {
  const bool used = !topk.users().empty() || topk.parent()->root() == &topk;
  return *topk.attributes->k > kMostSelected && topk.operand(0)->shape.dims.back() > kSortedRow && used;
}

}  // namespace

bool expand_topk(Module& module, const GraphPassOptions&) {
  bool changed = false;
  for (Instruction* call : instructions_of(module, Opcode::kCustomCall)) changed |= expand_call(*call);
  for (Instruction* topk : instructions_of(module, Opcode::kTopk)) {
    if (!is_large(*topk)) continue;
    expand_one_topk(*topk);
    changed = true;
  }
  if (changed) module.sort_computations();
  return changed;
}

}  // namespace sinter
