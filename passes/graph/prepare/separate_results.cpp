// separate_results: a reduction of several values whose results need nothing of each other becomes several, and what of
// it nobody reads goes.
//
//   (f32[8], f32[8]) reduce(%x, %y, 0, -inf), to_apply=     =>   f32[8] reduce(%x, 0), to_apply=add
//   (a, b, c, d) -> (a + c, max(b, d))                           f32[8] reduce(%y, -inf), to_apply=maximum
//
// Reductions of single values have forms of rows, and share a kernel where they read the same. Short ones, which a
// thread makes in one loop, stay.
#include <algorithm>
#include <map>
#include <set>

#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/on_arrays.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"
#include "passes/graph/parts/thread_rows.h"

namespace sinter {
namespace {

using Results = std::set<size_t>;  // by number

// The results that the function needs the running values or elements of to give this one.
Results needed_for(const Computation& function, size_t result, size_t count) {
  Results needed;
  std::vector<const Instruction*> open = {function.root()->operand(result)};
  std::set<const Instruction*> seen(open.begin(), open.end());  // asked for membership alone
  while (!open.empty()) {
    const Instruction* value = open.back();
    open.pop_back();
    if (value->opcode == Opcode::kParameter) needed.insert(static_cast<size_t>(value->parameter_number) % count);
    for (const Instruction* operand : value->operands()) {
      if (seen.insert(operand).second) open.push_back(operand);
    }
  }
  return needed;
}

Results results_that_are_read(const Instruction& reduce, size_t count) {
  Results read, all;
  for (size_t i = 0; i < count; ++i) all.insert(i);
  if (reduce.parent()->root() == &reduce) return all;
  for (const Instruction* user : reduce.users()) {
    if (user->opcode != Opcode::kGetTupleElement) return all;
    if (!user->users().empty() || user->parent()->root() == user) read.insert(*user->attributes->tuple_index);
  }
  return read;
}

// The results that are needed, those together that need each other, each group by its first.
std::map<size_t, Results> groups_of(const Instruction& reduce, size_t count) {
  const Computation& function = **reduce.attributes->to_apply;
  std::vector<Results> needs;
  for (size_t i = 0; i < count; ++i) needs.push_back(needed_for(function, i, count));
  const Results read = results_that_are_read(reduce, count);
  std::vector<size_t> open(read.begin(), read.end()), group(count, count);
  for (const size_t i : open) group[i] = i;
  while (!open.empty()) {
    const size_t i = open.back();
    open.pop_back();
    for (const size_t j : needs[i]) {
      if (group[j] == count) {
        group[j] = j;
        open.push_back(j);
      }
      const size_t from = std::max(group[i], group[j]), to = std::min(group[i], group[j]);
      std::replace(group.begin(), group.end(), from, to);
    }
  }
  std::map<size_t, Results> groups;
  for (size_t i = 0; i < count; ++i) {
    if (group[i] < count) groups[group[i]].insert(i);
  }
  return groups;
}

// The function of some of the results alone.
Computation* part_of(const Computation& function, const Results& results, size_t count) {
  Computation* part = function.parent()->add_computation(function.name);
  GraphBuilder build(*part);
  const std::vector<Instruction*> parameters = function.parameters();
  std::map<const Instruction*, Instruction*> copies;  // asked for one alone
  for (size_t side = 0; side < 2; ++side) {
    for (const size_t i : results) {
      const Instruction* parameter = parameters[side * count + i];
      copies[parameter] = build.parameter(parameter->shape, parameter->name);
    }
  }
  for (const Instruction& instruction : function.instructions()) {
    if (instruction.opcode == Opcode::kParameter || &instruction == function.root()) continue;
    std::vector<Instruction*> operands;
    for (const Instruction* operand : instruction.operands()) {
      if (const auto copy = copies.find(operand); copy != copies.end()) operands.push_back(copy->second);
    }
    if (operands.size() == instruction.operands().size()) copies[&instruction] = part->add_copy(instruction, operands);
  }
  std::vector<Instruction*> roots;
  for (const size_t i : results) roots.push_back(copies.at(function.root()->operand(i)));
  part->set_root(roots.size() == 1 ? roots[0] : build.tuple(roots));
  return part;
}

bool separate_results_of(Instruction& reduce) {
  const size_t count = reduce.operands().size() / 2;
  if (count < 2 || !reduce.shape.is_tuple() || !reduce.operand(0)->shape.is_static()) return false;
  const int64_t results = reduce.shape.elements[0].element_count();
  if (results == 0 || reduce.operand(0)->shape.element_count() / results <= kShortLoop) return false;
  const Computation& function = **reduce.attributes->to_apply;
  if (!gives_elements(function) || function.root()->opcode != Opcode::kTuple) return false;
  const std::map<size_t, Results> groups = groups_of(reduce, count);
  if (groups.empty() || groups.begin()->second.size() == count) return false;

  GraphBuilder build(reduce);
  std::vector<Instruction*> given(count);
  for (const auto& [first, group] : groups) {
    std::vector<Instruction*> operands;
    for (const size_t i : group) operands.push_back(reduce.operand(i));
    for (const size_t i : group) operands.push_back(reduce.operand(count + i));
    Attributes attributes = reduce.attributes;
    attributes.to_apply = part_of(function, group, count);
    Instruction* made = build.make(Opcode::kReduce, operands, std::move(attributes));
    int64_t place = 0;
    for (const size_t i : group) given[i] = group.size() == 1 ? made : build.tuple_element(made, place++);
  }
  for (size_t i = 0; i < count; ++i) {
    // Nobody reads it.
    if (given[i] == nullptr) given[i] = build.splat(reduce.operand(count + i), reduce.shape.elements[i].dims);
  }
  become(reduce, Opcode::kTuple, given);
  return true;
}

}  // namespace

bool separate_results(Module& module, const GraphPassOptions&) {
  bool changed = false;
  for (Instruction* reduce : instructions_of(module, Opcode::kReduce)) changed |= separate_results_of(*reduce);
  if (changed) module.sort_computations();
  return changed;
}

}  // namespace sinter
