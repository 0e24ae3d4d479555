// join_products: products of one value in a loop's steps with several matrices that no step changes become one, with
// these side by side.
//
//   body:  %i = f32[64,512] dot(%h, %ui)                       %u = f32[512,1024] concatenate(%ui, %uf)      before the
//   loop
//          %f = f32[64,512] dot(%h, %uf)              =>       body:  %both = f32[64,1024] dot(%h, %u)
//                                                                     %i, %f = slices of %both
//
// So do products that are added up, of several values:
//
//   body:  add(dot(%di, %ui), dot(%df, %uf))           =>      body:  dot(concatenate(%di, %df), %u)
//
// Gates of recurrent layers that have a matrix each are such, and their gradients. A step then has one product in place
// of several short ones, none of which has work for all of a GPU.
#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "passes/analysis/loops/while_analysis.h"
#include "passes/analysis/loops/while_carries.h"
#include "passes/analysis/shapes/dot_dimensions.h"
#include "passes/analysis/values/hardware.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"
#include "passes/graph/loops/hoist_invariants.h"
#include "passes/graph/loops/steps_at_once.h"

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

bool are_like_products(const Instruction& a, const Instruction& b) {
  return a.shape.dtype == b.shape.dtype && a.operand(0)->shape.dtype == b.operand(0)->shape.dtype &&
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

// Whether it is worth it. What one block has threads for may be a loop in a kernel, which needs no products of its own.
bool are_worth_it(const std::vector<Instruction*>& dots, int64_t elements) {
  int64_t bytes = 0;
  for (const Instruction* dot : dots) bytes += dot->operand(1)->shape.bytes();
  return dots.size() > 1 && elements > kMostThreads && bytes <= kMostBytes;
}

// Products of one value.
bool join_of_value(const CarriedLoop& loop, const InvariantSet& invariants) {
  std::vector<std::vector<Instruction*>> groups;
  for (Instruction& dot : loop.body().instructions()) {
    if (!is_of_matrix(dot, invariants)) continue;
    const auto group = std::ranges::find_if(groups, [&](const auto& one) {
      return one[0]->operand(0) == dot.operand(0) && are_like_products(*one[0], dot);
    });
    if (group == groups.end()) {
      groups.push_back({&dot});
    } else {
      group->push_back(&dot);
    }
  }
  bool changed = false;
  for (const std::vector<Instruction*>& group : groups) {
    int64_t elements = 0;
    for (const Instruction* dot : group) elements += dot->shape.element_count();
    if (!are_worth_it(group, elements)) continue;
    join(loop, group);
    changed = true;
  }
  return changed;
}

bool is_term(const Instruction& value) { return value.users().size() == 1 && value.users()[0]->opcode == Opcode::kAdd; }

// What an addition adds up, where sums stand in no other place.
std::vector<Instruction*> terms_of(Instruction& sum) {
  std::vector<Instruction*> terms, open = {&sum};
  while (!open.empty()) {
    Instruction* value = open.back();
    open.pop_back();
    if (value != &sum && (value->opcode != Opcode::kAdd || !is_term(*value))) {
      terms.push_back(value);
      continue;
    }
    open.push_back(value->operand(1));
    open.push_back(value->operand(0));
  }
  return terms;
}

// Products that are added up: one of all terms, but of those that can leave the loop (split_loops). The sum's other
// terms follow.
bool join_of_sum(const CarriedLoop& loop, Instruction& sum, const InvariantSet& invariants,
                 const std::optional<StepsAtOnce>& steps) {
  std::vector<Instruction*> dots, others;
  for (Instruction* term : terms_of(sum)) {
    const bool joins = is_of_matrix(*term, invariants) && is_term(*term) && term->operand(0)->shape.rank() == 2 &&
                       !(steps && steps->can_make(*term)) && (dots.empty() || are_like_products(*dots[0], *term));
    (joins ? dots : others).push_back(term);
  }
  if (!are_worth_it(dots, sum.shape.element_count())) return false;
  const Instruction& first = *dots.front();
  GraphBuilder at(sum);
  std::array<std::vector<Value>, 2> parts;
  std::array<Value, 2> operands{};
  for (size_t side = 0; side < 2; ++side) {
    for (const Instruction* dot : dots) parts[side].push_back(dot->operand(side));
    operands[side] = at.concatenate(parts[side], operand_dims(first, side).contracting[0]);
  }
  Value result = loop.body().add_copy(first, {operands[0], operands[1]}, &sum);
  for (Instruction* other : others) result = at.add({result, other});
  sum.replace_all_uses_with(result);
  make_before(loop, {operands[1]});
  return true;
}

bool join_in(Instruction& instruction) {
  const CarriedLoop loop(instruction);
  const WhileInfo info = analyze_while(instruction);
  if (!can_add_carries(loop) || info.trip_limit.value_or(INT64_MAX) <= kFewSteps) return false;
  const InvariantSet invariants = find_invariants(loop);
  bool changed = join_of_value(loop, invariants);
  std::optional<StepsAtOnce> steps;
  if (info.trip_count) steps.emplace(loop, info, INT64_MAX);
  std::vector<Instruction*> sums;
  for (Instruction& value : loop.body().instructions()) {
    if (value.opcode == Opcode::kAdd && !value.users().empty() && !is_term(value)) sums.push_back(&value);
  }
  for (Instruction* sum : sums) changed |= join_of_sum(loop, *sum, invariants, steps);
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
