// join_products: products of one value in a loop's steps with several matrices that no step changes become one, with
// these side by side.
//
//   body:  %i = f32[64,512] dot(%h, %ui)                       %u = f32[512,1024] concatenate(%ui, %uf)      before the
//   loop
//          %f = f32[64,512] dot(%h, %uf)              =>       body:  %both = f32[64,1024] dot(%h, %u)
//                                                                     %i, %f = slices of %both
//
// Gates of recurrent layers that have a matrix each are such. A step then has one product in place of several short
// ones, none of which has work for all of a GPU.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "passes/analysis/loops/while_analysis.h"
#include "passes/analysis/loops/while_carries.h"
#include "passes/analysis/shapes/dot_dimensions.h"
#include "passes/analysis/values/hardware.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"
#include "passes/graph/loops/hoist_invariants.h"

namespace sinter {
namespace {

using Value = GraphBuilder::Value;

// Matrices are copied, and so must be few bytes, which stay in the L2 cache between steps; and steps more than a few.
constexpr int64_t kMostBytes = int64_t{32} << 20;
constexpr int64_t kFewSteps = 4;

// A product of a value of the step with a matrix that is the same in all.
bool is_of_matrix(const Instruction& dot, const InvariantSet& invariants) {
  if (dot.opcode != Opcode::kDot || dot.users().empty()) return false;
  return operand_dims(dot, 0).batch.empty() && dot.operand(1)->shape.rank() == 2 &&
         operand_dims(dot, 1).free.size() == 1 && invariants.count(dot.operand(1)) > 0 &&
         invariants.count(dot.operand(0)) == 0;
}

bool go_together(const Instruction& a, const Instruction& b) {
  return a.operand(0) == b.operand(0) && a.shape.dtype == b.shape.dtype &&
         a.operand(1)->shape.dtype == b.operand(1)->shape.dtype && *a.attributes == *b.attributes &&
         a.annotations->frontend_attributes == b.annotations->frontend_attributes;
}

void join(const CarriedLoop& loop, const std::vector<Instruction*>& dots) {
  const Instruction& first = *dots.front();
  GraphBuilder at(*dots.back());
  std::vector<Value> matrices;
  for (const Instruction* dot : dots) matrices.push_back(dot->operand(1));
  const Value matrix = at.concatenate(matrices, operand_dims(first, 1).free[0]);
  const Value all = loop.body().add_copy(first, {first.operand(0), matrix}, dots.back());
  const int64_t last = first.shape.rank() - 1;
  all->shape.dims[last] = matrix->shape.dims[operand_dims(first, 1).free[0]];
  all->shape.layout.reset();
  int64_t begin = 0;
  for (Instruction* dot : dots) {
    const int64_t end = begin + dot->shape.dims[last];
    dot->replace_all_uses_with(at.slice(all, last, begin, end));
    begin = end;
  }
  loop.body().sort();
  make_before(loop, {matrix});
}

bool join_in(Instruction& instruction) {
  const CarriedLoop loop(instruction);
  if (!can_add_carries(loop) || analyze_while(instruction).trip_limit.value_or(INT64_MAX) <= kFewSteps) return false;
  const InvariantSet invariants = find_invariants(loop);
  std::vector<std::vector<Instruction*>> groups;
  for (Instruction& dot : loop.body().instructions()) {
    if (!is_of_matrix(dot, invariants)) continue;
    const auto group = std::ranges::find_if(groups, [&](const auto& one) { return go_together(*one[0], dot); });
    if (group == groups.end()) {
      groups.push_back({&dot});
    } else {
      group->push_back(&dot);
    }
  }
  bool changed = false;
  for (const std::vector<Instruction*>& group : groups) {
    int64_t elements = 0, bytes = 0;
    for (const Instruction* dot : group) {
      elements += dot->shape.element_count();
      bytes += dot->operand(1)->shape.bytes();
    }
    // What one block has threads for may be a loop in a kernel, which needs no products of its own.
    if (group.size() == 1 || elements <= kMostThreads || bytes > kMostBytes) continue;
    join(loop, group);
    changed = true;
  }
  return changed;
}

}  // namespace

bool join_products(Module& module, const GraphPassOptions&) {
  bool changed = false;
  for (Instruction* loop : instructions_of(module, Opcode::kWhile)) changed |= join_in(*loop);
  if (changed) remove_dead_code(module);
  return changed;
}

}  // namespace sinter
