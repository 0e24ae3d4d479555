// attend: attention, two matrix products with a softmax between them, becomes a fusion, which has a stage of its own
// (passes/stages/attend): scores never go to memory.
//
//   %scores = f32[8,1024,1024] dot(%q, %k), ...
//   %max = reduce(%scores, -inf), ... maximum
//   %exp = exponential(subtract(%scores, %max))
//   %sum = reduce(%exp, 0), ... add
//   %results = f32[8,1024,64] dot(divide(%exp, %sum), %v), ...
//                                                     =>
//   %results = f32[8,1024,64] fusion(%q, %k, %v), calls=%attention, frontend_attributes={sinter_stage="attend"}
//
// With it goes what costs nothing before it: transposes and slices of operands, masks made of indices, scales. Weights
// that are read elsewhere too (a gradient's) are left as they are, and so are few queries of few keys, which are a part
// of a kernel of rows.
#include <set>

#include "passes/analysis/functions/attention.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"
#include "passes/graph/finish/outline.h"
#include "passes/graph/finish/swap_operands.h"
#include "passes/stages/attend/find_attentions.h"

namespace sinter {
namespace {

// What gives the result of a product as it was, whose operands are in the other order now: [batch, queries, values]
// where it gave [batch, values, queries], so that a query's results are neighbours.
Instruction* in_its_order(Instruction& dot, Instruction* swapped) {
  Attributes attributes;
  attributes.dimensions = dimensions_when_swapped(dot);
  return insert_like(dot, Opcode::kTranspose, dot.shape, {swapped}, attributes);
}

// One instruction for attention, whose weights are the operand `weights_side` of the second product.
void outline_attention(Instruction& results, size_t weights_side, const std::set<const Instruction*>& instructions,
                       const std::vector<Instruction*>& operands) {
  Outlined outlined = outline({&results}, instructions, operands, "attention", kAttend);
  Instruction* root = outlined.callee->root();
  Instruction* fusion = outlined.fusion;
  if (weights_side == 1) {
    swap_operands(*root);
    fusion->shape = root->shape;
  }
  results.replace_all_uses_with(weights_side == 1 ? in_its_order(results, fusion) : fusion);
}

bool fuse_attention(Instruction& results) {
  const std::optional<FoundAttention> found = attention_of(results);
  if (!found) return false;
  store_counters(found->instructions, results.parent());
  const std::optional<std::vector<Instruction*>> operands = operands_of(*results.parent(), found->instructions);
  if (operands) outline_attention(results, found->attention.weights_side, found->instructions, *operands);
  return operands.has_value();
}

}  // namespace

bool attend(Module& module, const GraphPassOptions&) {
  bool changed = false;
  const std::set<const Computation*> done = computations_of_stages(module);
  for (Instruction* results : instructions_of(module, Opcode::kDot))
    changed |= done.count(results->parent()) == 0 && fuse_attention(*results);
  if (changed) {
    module.sort_computations();
    remove_dead_code(module);
  }
  return changed;
}

}  // namespace sinter
