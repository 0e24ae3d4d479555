// join_bins: scatters to bins by the same rows (passes/stages/own/bins_stage.h) become one, which looks at each row
// once.
//
//   %counts = s32[256] scatter(%zeros, %rows, %ones), to_apply=%add
//   %largest = f32[256] scatter(%least, %rows, %values), to_apply=%maximum
//                                                         =>
//   %both = (s32[256], f32[256]) scatter(%zeros, %least, %rows, %ones, %values), to_apply=(add, maximum)
#include <map>

#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"
#include "passes/stages/own/bins_stage.h"

namespace sinter {
namespace {

// (a_0, a_1, ..., b_0, b_1, ...) -> (a_0 ⊕ b_0, a_1 ⊕ b_1, ...).
Computation* side_by_side(Module& module, const std::vector<Instruction*>& scatters) {
  Computation* computation = module.add_computation("side_by_side");
  GraphBuilder build(*computation);
  std::vector<Instruction*> first, second, combined;
  for (const Instruction* scatter : scatters)
    first.push_back(build.parameter(Shape::scalar(scatter->shape.dtype), "a"));
  for (const Instruction* scatter : scatters)
    second.push_back(build.parameter(Shape::scalar(scatter->shape.dtype), "b"));
  for (size_t i = 0; i < scatters.size(); ++i) {
    const Opcode operation = *simple_combiner(**scatters[i]->attributes->to_apply);
    combined.push_back(build.make(operation, {first[i], second[i]}));
  }
  computation->set_root(build.tuple(combined));
  return computation;
}

// The scatters, in the order of the text, become elements of one that stands where the last of them does.
void join(Module& module, const std::vector<Instruction*>& scatters) {
  GraphBuilder build(*scatters.back());
  std::vector<Instruction*> operands, updates;
  for (const Instruction* scatter : scatters) {
    operands.push_back(scatter->operand(0));
    updates.push_back(scatter->operand(2));
  }
  operands.push_back(scatters[0]->operand(1));
  operands.insert(operands.end(), updates.begin(), updates.end());
  Attributes attributes = scatters[0]->attributes;
  attributes.to_apply = side_by_side(module, scatters);
  Instruction* all = build.make(Opcode::kScatter, operands, std::move(attributes));
  for (size_t i = 0; i < scatters.size(); ++i) {
    Attributes element;
    element.tuple_index = static_cast<int64_t>(i);
    become(*scatters[i], Opcode::kGetTupleElement, {all}, std::move(element));
  }
  scatters[0]->parent()->sort();
}

bool join_bins_of(Computation& computation) {
  std::vector<std::vector<Instruction*>> groups;  // by their rows
  std::map<const Instruction*, size_t> latest;    // rows -> group
  for (Instruction& scatter : computation.instructions()) {
    if (scatter.opcode != Opcode::kScatter || scatter.operands().size() != 3 || bins_operations(scatter).empty())
      continue;
    const auto known = latest.find(scatter.operand(1));
    if (known != latest.end()) {
      std::vector<Instruction*>& group = groups[known->second];
      int64_t together = bytes_of_bins(scatter);
      for (const Instruction* other : group) together += bytes_of_bins(*other);
      const bool alike = scatter.shape.dims == group[0]->shape.dims &&
                         scatter.operand(2)->shape.dims == group[0]->operand(2)->shape.dims;
      if (alike && have_room(together) && !depends_on(scatter, group)) {
        group.push_back(&scatter);
        continue;
      }
    }
    latest[scatter.operand(1)] = groups.size();
    groups.push_back({&scatter});
  }
  bool changed = false;
  for (const std::vector<Instruction*>& group : groups) {
    if (group.size() == 1) continue;
    join(*computation.parent(), group);
    changed = true;
  }
  return changed;
}

}  // namespace

bool join_bins(Module& module, const GraphPassOptions&) {
  bool changed = false;
  std::vector<Computation*> computations;
  for (const auto& computation : module.computations()) computations.push_back(computation.get());
  for (Computation* computation : computations) changed |= join_bins_of(*computation);
  if (!changed) return false;
  module.sort_computations();
  remove_dead_code(module);
  return true;
}

}  // namespace sinter
