// expand_topk: the first k of long rows become the beginning of the sorted rows, where k is more than a block of
// threads keeps on its way through a row.
//
//   %t = (f32[8,1000], s32[8,1000]) topk(%x), k=1000   =>   %i = s32[8,100000] iota(), iota_dimension=1
//                                                           %s = (...) sort(%x, %i), dimensions={1}, is_stable=true
//                                                           slices [0:8], [0:1000] of both
#include "passes/graph/expand_topk.h"

#include <vector>

#include "passes/graph/graph_builder.h"
#include "passes/graph/passes.h"

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
  const GraphBuilder::Value before = build.compare(a, b, largest ? "GT" : "LT");
  if (is_float(dtype)) before->attributes.comparison_type = "TOTALORDER";
  computation->set_root(before);
  return computation;
}

void expand(Instruction& topk) {
  Module& module = *topk.parent()->parent();
  const Shape shape = topk.operand(0)->shape;
  const int64_t last = shape.rank() - 1;
  GraphBuilder build(topk);
  Attributes attributes;
  attributes.dimensions = std::vector<int64_t>{last};
  attributes.is_stable = true;
  attributes.to_apply = comparator(module, shape.dtype, topk.attributes.largest.value_or(true));
  const GraphBuilder::Value places = build.iota(DType::kS32, shape.dims, last);
  const GraphBuilder::Value sorted = build.make(Opcode::kSort, {topk.operand(0), places}, attributes);
  const int64_t k = *topk.attributes.k;
  const GraphBuilder::Value values = build.slice(build.tuple_element(sorted, 0), last, 0, k);
  const GraphBuilder::Value indices = build.slice(build.tuple_element(sorted, 1), last, 0, k);
  topk.replace_all_uses_with(build.tuple({values, indices}));
}

}  // namespace

bool expand_topk(Module& module, const GraphPassOptions&) {
  std::vector<Instruction*> found;
  for (const auto& computation : module.computations()) {
    for (Instruction& instruction : computation->instructions()) {
      const bool large = instruction.opcode == Opcode::kTopk && *instruction.attributes.k > kMostSelected &&
                         instruction.operand(0)->shape.dims.back() > kSortedRow;
      const bool used = !instruction.users().empty() || computation->root() == &instruction;
      if (large && used) found.push_back(&instruction);
    }
  }
  for (Instruction* topk : found) expand(*topk);
  if (!found.empty()) module.sort_computations();
  return !found.empty();
}

}  // namespace sinter
