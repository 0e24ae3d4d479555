// record_terms: of what a loop's steps reduce, along dimensions that no block of neighbours has whole, and only record
// or add up, the steps record the terms, and all steps' are reduced after the loop.
//
//   body:  %next = f32[4,1024,16] ...                               body:  %next = f32[4,1024,16] ...
//          %sum = f32[4,16] reduce(%next, 0), dimensions={1}    =>         %terms = f32[4096,4,1024,16]
//          %sums = f32[4096,4,16] dynamic-update-slice(..)                     dynamic-update-slice(%old, %next, %t)
//                                                                   after:  %sums = reduce(%terms, 0), dimensions={2}
//
//   body:  %total = f32[1024,16] add(%old, reduce(%next, 0)), dimensions={0}
//                                                               =>   after:  %total = reduce(%terms, 0), over steps,
//                                                               too
//
// Threads then run the loop without waiting for one another: an element each, as gradients of recurrences want it. The
// terms go through memory, which may take longer than to wait: the scheduler plans without it, too.
#include <algorithm>
#include <list>
#include <optional>
#include <utility>
#include <vector>

#include "passes/analysis/loops/by_element.h"
#include "passes/analysis/loops/while_analysis.h"
#include "passes/analysis/loops/while_carries.h"
#include "passes/analysis/values/hardware.h"
#include "passes/graph/base/change_carries.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"
#include "passes/graph/loops/steps_at_once.h"

namespace sinter {
namespace {

using Value = GraphBuilder::Value;

// That all steps may have of a value.
constexpr int64_t kMostTermBytes = int64_t{1} << 31;
// A product is worth it whose result is so many times smaller than what it is made of: elsewhere its terms are not what
// takes time.
constexpr int64_t kTimesFewerResults = 8;

// Whether each result is reduced from neighbours that the threads of a block can have.
bool reduces_neighbours(const Instruction& reduce) {
  const Shape& terms = reduce.operand(0)->shape;
  std::vector<int64_t> dimensions = *reduce.attributes->dimensions;
  std::ranges::sort(dimensions);
  int64_t neighbours = 1;
  for (size_t i = 0; i < dimensions.size(); ++i) {
    if (dimensions[i] != terms.rank() - std::ssize(dimensions) + static_cast<int64_t>(i)) return false;
    neighbours *= terms.dims[static_cast<size_t>(dimensions[i])];
  }
  return neighbours <= kMostThreads;
}

// Whether a loop of block scope could not make it: numbers are stack_reductions'.
bool crosses_blocks(const Instruction& value) {
  if (value.shape.is_scalar()) return false;
  if (value.opcode == Opcode::kReduce)
    return value.operand(0)->shape.element_count() > kMostThreads && !reduces_neighbours(value);
  if (value.opcode != Opcode::kDot) return false;
  const int64_t terms = std::max(value.operand(0)->shape.element_count(), value.operand(1)->shape.element_count());
  return terms > kMostThreads && value.shape.element_count() <= terms / kTimesFewerResults;
}

// A carry that the loop fills or adds up, and that no step needs: what a step records or adds.
struct Recorded {
  size_t carry = 0;
  const Instruction* of_step = nullptr;
  bool is_sum = false;
};

std::optional<Recorded> find_recorded(const CarriedLoop& loop, size_t carry, StepsAtOnce* steps) {
  const Instruction* next = loop.next(carry);
  if (steps->fills(carry)) return Recorded{carry, next->operand(1), false};
  const Instruction* read = only_read(loop, carry);
  const bool adds = read != nullptr && next->opcode == Opcode::kAdd && is_read_once(*read, *next) &&
                    is_read_once(*next, *loop.body().root());
  if (!adds) return std::nullopt;
  const Instruction* term = next->operand(next->operand(0) == read ? 1 : 0);
  return steps->can_sum(*term) ? std::optional(Recorded{carry, term, true}) : std::nullopt;
}

class Terms {
 public:
  Terms(const CarriedLoop& loop, StepsAtOnce* steps, std::vector<Recorded> of)
      : results(std::move(of)), loop_(loop), steps_(*steps) {
    note_recorded();
    note_moved();
    take_along();
  }

  std::vector<Recorded> results;

  // Whether a result can be made after the loop, and is: of a sum, all that it adds up.
  bool moves(const Recorded& result) const {
    std::vector<const Instruction*> open = {result.of_step};
    while (!open.empty()) {
      const Instruction* value = open.back();
      open.pop_back();
      if (moved_.count(value) == 0) return false;
      const bool ends = !result.is_sum || value->opcode == Opcode::kDot || value->opcode == Opcode::kReduce;
      if (!ends) open.insert(open.end(), value->operands().begin(), value->operands().end());
    }
    return true;
  }

  // What the steps record for them, in the order of the body.
  std::vector<Instruction*> recorded() const {
    std::vector<Instruction*> result;
    for (Instruction& value : loop_.body().instructions()) {
      const auto is_moved = [&](const Instruction* user) { return moved_.count(user) > 0; };
      if (stays(value) && std::ranges::any_of(value.users(), is_moved)) result.push_back(&value);
    }
    return result;
  }

 private:
  bool stays(const Instruction& value) const {
    return steps_.depends_on_step(value) && !steps_.can_make(value) && moved_.count(&value) == 0;
  }

  // What only leads to what is recorded, and can be made of all steps.
  void note_recorded() {
    InstructionSet ends;
    for (const Recorded& result : results) ends.insert(loop_.next(result.carry));
    std::list<Instruction>& body = loop_.body().instructions();
    for (auto value = body.rbegin(); value != body.rend(); ++value) {
      const auto leads_on = [&](const Instruction* user) { return only_.count(user) > 0 || ends.count(user) > 0; };
      const bool leads = !value->users().empty() && std::ranges::all_of(value->users(), leads_on);
      if (leads && ends.count(&*value) == 0 && !carry_read(*value) && steps_.supports(*value) && steps_.fits(*value))
        only_.insert(&*value);
    }
  }

  // Of these, reductions and what follows from them.
  void note_moved() {
    for (const Instruction& value : loop_.body().instructions()) {
      if (only_.count(&value) == 0 || !steps_.depends_on_step(value)) continue;
      bool moves = crosses_blocks(value);
      for (const Instruction* operand : value.operands()) moves |= moved_.count(operand) > 0;
      if (moves) moved_.insert(&value);
    }
  }

  // What terms are made of in place of the terms, where that is no more to record: several may be made of it.
  void take_along() {
    std::list<Instruction>& body = loop_.body().instructions();
    for (auto value = body.rbegin(); value != body.rend(); ++value) {
      if (only_.count(&*value) == 0 || !stays(*value) || !steps_.fits(*value)) continue;
      const auto is_moved = [&](const Instruction* user) { return moved_.count(user) > 0; };
      if (!std::ranges::all_of(value->users(), is_moved)) continue;
      int64_t bytes = 0;
      InstructionSet seen;
      for (const Instruction* operand : value->operands()) {
        const bool is_read = stays(*operand) && seen.insert(operand).second;
        if (is_read) bytes += operand->shape.bytes();
      }
      if (bytes <= value->shape.bytes()) moved_.insert(&*value);
    }
  }

  const CarriedLoop& loop_;
  StepsAtOnce& steps_;
  InstructionSet only_, moved_;
};

bool record_terms_of(Instruction& instruction) {
  const CarriedLoop loop(instruction);
  const WhileInfo info = analyze_while(instruction);
  if (!can_number_steps(loop, info) || *info.trip_count < 2) return false;
  StepsAtOnce steps(loop, info, kMostTermBytes);
  std::vector<Recorded> results;
  for (size_t i = 0; i < loop.count(); ++i) {
    if (const std::optional<Recorded> result = find_recorded(loop, i, &steps)) results.push_back(*result);
  }
  // What one that stays reads, the others do not take along.
  for (size_t before = results.size() + 1; results.size() < before;) {
    before = results.size();
    const Terms of_these(loop, &steps, results);
    std::erase_if(results, [&](const Recorded& result) { return !of_these.moves(result); });
  }
  if (results.empty()) return false;
  const std::vector<Instruction*> recorded = Terms(loop, &steps, results).recorded();
  const auto can_record = [&](const Instruction* value) { return value->shape.is_array() && steps.fits(*value); };
  if (!std::ranges::all_of(recorded, can_record)) return false;

  const size_t carries = loop.count();
  GraphBuilder before(instruction);
  std::vector<Value> empty;
  for (const Instruction* value : recorded) {
    const Value zero = before.constant(Literal(Shape::scalar(value->shape.dtype)));
    empty.push_back(before.splat(zero, with_steps(steps.steps(), value->shape.dims)));
  }
  const std::vector<Value> stacks = add_invariants(loop, empty);
  GraphBuilder inside(*loop.body().root());
  for (size_t i = 0; i < recorded.size(); ++i) {
    const Value stack = inside.with_part_at(stacks[i], step_number(loop, info, inside), 0, recorded[i]);
    loop.body().root()->set_operand(carries + i, stack);
  }

  Instruction& position = behind(instruction);
  GraphBuilder after(position);
  for (size_t i = 0; i < recorded.size(); ++i)
    steps.give(*recorded[i], after.tuple_element(&instruction, static_cast<int64_t>(carries + i)));
  std::vector<const Instruction*> made;
  for (const Recorded& result : results) {
    const std::vector<const Instruction*> parts =
        result.is_sum ? steps.summed(*result.of_step) : std::vector{result.of_step};
    made.insert(made.end(), parts.begin(), parts.end());
  }
  steps.make(made, position);
  for (const Recorded& result : results) {
    const Value value = result.is_sum ? after.add({loop.init(result.carry), steps.sum(*result.of_step, position)})
                                      : steps.filled(result.carry, after);
    for (Instruction* read : loop.reads_after(result.carry)) read->replace_all_uses_with(value);
  }
  return true;
}

}  // namespace

bool record_terms(Module& module, const GraphPassOptions&) {
  bool changed = false;
  for (Instruction* loop : instructions_of(module, Opcode::kWhile)) changed |= record_terms_of(*loop);
  if (!changed) return false;
  module.sort_computations();
  remove_dead_code(module);
  return true;
}

}  // namespace sinter
