// pairs: a reduction over pairs of a row and a column, whose terms are no products or are combined by another operation
// than a sum, becomes a fusion, which has a stage of its own (passes/stages/pairs): each element that is read counts
// for many results, as in a matrix product.
//
//   %d = f32[4096,4096,256] subtract(broadcast(%a), dimensions={0,2}, broadcast(%b), dimensions={1,2})
//   %s = f32[4096,4096] reduce(abs(%d), 0), dimensions={2}
//                                                     =>
//   %s = f32[4096,4096] fusion(%a, %b), calls=%pairs, frontend_attributes={sinter_stage="pairs"}
//
// Reductions of the same arrays' pairs become one of several values, whose terms are made where the elements are:
//
//   %sum = f32[4096,4096] reduce(abs(%d), 0), to_apply=add
//   %max = f32[4096,4096] reduce(abs(%d), -inf), to_apply=maximum
//                                                     =>
//   %both = (f32[4096,4096], f32[4096,4096]) fusion(%a, %b), calls=%pairs
//   in %pairs:  ROOT reduce(abs(%d), abs(%d), 0, -inf), to_apply=%combine
#include <algorithm>
#include <map>
#include <set>

#include "passes/analysis/functions/combiner.h"
#include "passes/analysis/functions/pairs.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"
#include "passes/graph/finish/outline.h"
#include "passes/stages/pairs/pair_reduction.h"

namespace sinter {

namespace {

// What a thread has of each result is in registers.
constexpr int64_t kMostValueBytes = 12;

struct Found {
  Instruction* reduce = nullptr;
  PairReduction pairs;
  std::vector<Instruction*> operands;

  size_t values() const { return reduce->operands().size() / 2; }
};

// Whether each value is combined in its own type, a whole register, and is read by itself.
bool may_be_one_of_several(const Found& found) {
  const std::vector<Instruction*>& operands = found.reduce->operands();
  const bool are_read_apart = std::ranges::all_of(
      found.reduce->users(), [](const Instruction* user) { return user->opcode == Opcode::kGetTupleElement; });
  if (found.values() > 1 && !are_read_apart) return false;
  if (found.pairs.of_results > 0 || found.pairs.of_sides > 0) return false;
  return std::all_of(operands.begin(), operands.begin() + static_cast<ptrdiff_t>(found.values()),
                     [](const Instruction* terms) {
                       const DType dtype = terms->shape.dtype;
                       return sum_type(dtype) == dtype && dtype_bits(dtype) >= 32 && dtype != DType::kPred;
                     });
}

int64_t bytes_of_values(const Found& found) {
  int64_t bytes = 0;
  for (size_t i = 0; i < found.values(); ++i) bytes += dtype_bytes(found.reduce->operand(i)->shape.dtype);
  return bytes;
}

bool are_of_same_pairs(const PairReduction& a, const PairReduction& b) {
  return a.batch == b.batch && a.rows == b.rows && a.columns == b.columns && a.terms == b.terms &&
         a.reduce->operand(0)->shape.dims == b.reduce->operand(0)->shape.dims;
}

// Whether `more` can be made where the first of the group is, of arrays that it or the first alone reads.
bool may_join(const std::vector<Found>& group, const Found& more) {
  const Found& first = group.front();
  int64_t bytes = bytes_of_values(more);
  for (const Found& each : group) bytes += bytes_of_values(each);
  const auto reads_all = [](const Found& one, const Found& of) {
    return std::ranges::all_of(of.operands, [&](const Instruction* operand) {
      return std::ranges::find(one.operands, operand) != one.operands.end();
    });
  };
  return bytes <= kMostValueBytes && more.reduce->parent() == first.reduce->parent() && may_be_one_of_several(more) &&
         are_of_same_pairs(first.pairs, more.pairs) && (reads_all(first, more) || reads_all(more, first)) &&
         std::ranges::all_of(
             more.operands, [&](const Instruction* operand) { return operand->position() < first.reduce->position(); });
}

// The functions of these reductions side by side: (a_0, a_1, ..., b_0, b_1, ...) -> the next of each value.
Computation* join_functions(Module& module, const std::vector<Found>& group) {
  Computation* both = module.add_computation(module.unique_computation_name("combine"));
  GraphBuilder build(*both);
  std::vector<Instruction*> before, terms, next;
  for (std::vector<Instruction*>* side : {&before, &terms}) {
    for (const Found& each : group) {
      for (size_t i = 0; i < each.values(); ++i) {
        const std::string name = (side == &before ? "value_" : "term_") + std::to_string(side->size());
        side->push_back(build.parameter(Shape::scalar(each.reduce->operand(i)->shape.dtype), name));
      }
    }
  }
  size_t first = 0;
  for (const Found& each : group) {
    const Computation& function = **each.reduce->attributes->to_apply;
    std::map<const Instruction*, Instruction*> copies;
    for (size_t i = 0; i < each.values(); ++i) {
      copies[function.parameters()[i]] = before[first + i];
      copies[function.parameters()[each.values() + i]] = terms[first + i];
    }
    for (const Instruction& instruction : function.instructions()) {
      const bool is_tuple = each.values() > 1 && &instruction == function.root();
      if (copies.contains(&instruction) || is_tuple) continue;
      std::vector<Instruction*> arguments;
      for (const Instruction* operand : instruction.operands()) arguments.push_back(copies.at(operand));
      copies[&instruction] = both->add_copy(instruction, arguments, nullptr, instruction.name);
    }
    for (size_t i = 0; i < each.values(); ++i)
      next.push_back(copies.at(each.values() == 1 ? function.root() : function.root()->operand(i)));
    first += each.values();
  }
  both->set_root(build.tuple(next));
  return both;
}

// One reduction of all, where the first is; false where no kernel could make it.
bool join(const std::vector<Found>& group) {
  Instruction* first = group.front().reduce;
  Module& module = *first->parent()->parent();
  std::vector<Instruction*> results;
  std::set<const Instruction*> instructions;
  for (const Found& each : group) {
    results.insert(results.begin(), each.reduce);  // the fusion stands where the last of them does
    instructions.insert(each.pairs.instructions.begin(), each.pairs.instructions.end());
  }
  const std::vector<Instruction*> operands = *operands_of(*first->parent(), instructions);
  const Outlined made = outline(results, instructions, operands, "pairs", kPairs);
  std::vector<Instruction*> arrays, begins;
  std::vector<Shape> shapes;
  for (const Found& each : group) {
    const Instruction& copy = *made.copies.at(each.reduce);
    for (size_t i = 0; i < each.values(); ++i) {
      arrays.push_back(copy.operand(i));
      begins.push_back(copy.operand(each.values() + i));
      shapes.push_back(each.values() == 1 ? copy.shape : copy.shape.elements[i]);
    }
  }
  arrays.insert(arrays.end(), begins.begin(), begins.end());
  Instruction* all = made.callee->add(Opcode::kReduce, Shape::tuple(shapes), arrays, first->name);
  all->attributes = made.copies.at(first)->attributes;
  all->attributes.edit().to_apply = join_functions(module, group);
  made.callee->set_root(all);
  if (!pair_reduction(*all)) return false;  // nothing reads the fusion
  made.fusion->shape = Shape::tuple(shapes);
  // Each is called as it was before.
  const auto replace = [&](Instruction* value, int64_t index) {
    Instruction* element = insert_tuple_element(*first, made.fusion, index);
    element->name = module.unique_instruction_name(value->name);
    element->metadata = value->metadata;
    element->loc = value->loc;
    value->replace_all_uses_with(element);
  };
  int64_t index = 0;
  for (const Found& each : group) {
    if (each.values() == 1) replace(each.reduce, index);
    for (Instruction* element : std::vector<Instruction*>(each.reduce->users())) {
      if (each.values() > 1) replace(element, index + *element->attributes->tuple_index);
    }
    index += static_cast<int64_t>(each.values());
  }
  return true;
}

}  // namespace

bool pairs(Module& module, const GraphPassOptions& options) {
  const bool pinned = is_pinned(options, "pairs");
  bool changed = false;
  const std::set<const Computation*> done = computations_of_stages(module);
  std::vector<std::vector<Found>> groups;
  for (Instruction* reduce : instructions_of(module, Opcode::kReduce)) {
    if (done.count(reduce->parent()) > 0) continue;
    std::optional<PairReduction> found = pair_reduction(*reduce);
    if (!found || (!pinned && !fills_tiles(*found))) continue;
    std::optional<std::vector<Instruction*>> operands = operands_of(*reduce->parent(), found->instructions);
    if (!operands) continue;
    Found more = {.reduce = reduce, .pairs = std::move(*found), .operands = std::move(*operands)};
    const auto group = std::ranges::find_if(groups, [&](const std::vector<Found>& each) {
      return may_be_one_of_several(each.front()) && may_join(each, more);
    });
    if (group == groups.end()) {
      groups.emplace_back().push_back(std::move(more));
    } else {
      group->push_back(std::move(more));
    }
  }
  for (const std::vector<Found>& group : groups) {
    changed = true;
    if (group.size() > 1 && join(group)) continue;
    // Of operands as they are by now: one may be another reduction of pairs, outlined before.
    for (const Found& each : group) {
      Instruction* reduce = each.reduce;
      const auto& instructions = each.pairs.instructions;
      const std::optional<std::vector<Instruction*>> operands = operands_of(*reduce->parent(), instructions);
      if (operands) reduce->replace_all_uses_with(outline({reduce}, instructions, *operands, "pairs", kPairs).fusion);
    }
  }
  if (changed) {
    module.sort_computations();
    remove_dead_code(module);
  }
  return changed;
}

}  // namespace sinter
