// split_loops: products of a loop's steps that need nothing of the steps before them, or that no later step needs, are
// made for all steps at once, before the loop or after it.
//
//   body:  %x = f32[64,256] ... dynamic-slice(%xs, %t)                %xw = f32[200,64,512] dot(%xs, %w)
//          %xw = f32[64,512] dot(%x, %w)                       =>     body:  %xw_t = ... dynamic-slice(%xw, %t)
//          %next = tanh(%xw + dot(%state, %u))                               %next = tanh(%xw_t + dot(%state, %u))
//
//   body:  %gradient = f32[256,512] add(%sum, dot(%x, %d))            body:  %ds = dynamic-update-slice(%old, %d, %t)
//                                                              =>     %gradient = dot(%xs, %ds), over steps and rows
//
// Recurrent layers are such loops, and their gradients. What a step then still does is as short as its chain of needs
// is. A sum that a loop adds up step by step becomes one of all its terms, with one rounding less for each step. Sums
// over elements of what is stacked anyway go with the products. Products that keep a GPU busy on their own stay, and so
// does what has too many elements in all steps.
#include <algorithm>
#include <list>
#include <optional>
#include <vector>

#include "ir/module/device_functions.h"
#include "passes/analysis/loops/stacked_reductions.h"
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
using Values = std::vector<Instruction*>;

// Elements of a tile that a multiprocessor multiplies at a time.
constexpr int64_t kTile = 128 * 128;
constexpr int64_t kMostStackedBytes = kMostStacked * 4;

// A product that is worth being made for all steps at once: one step's leaves most of a GPU idle.
bool is_short_product(const Instruction& value) {
  return value.opcode == Opcode::kDot && value.shape.element_count() < kMultiprocessors * kTile;
}

// What follows a product element by element and can be made with it, as far as one value after the other reads it
// alone.
Instruction* end_of_chain(const StepsAtOnce& steps, Instruction* product) {
  Instruction* end = product;
  while (end->users().size() == 1) {
    Instruction* user = end->users()[0];
    const bool follows =
        steps.can_make(*user) && family_of(*user) == Family::kElementwise && user->shape.dims == end->shape.dims;
    if (!follows) break;
    end = user;
  }
  return end;
}

// Products of what there is before the loop. Of one that is read by others of them alone, nothing is read in the loop,
// which then does not carry it.
bool move_before(const CarriedLoop& loop, const WhileInfo& info) {
  StepsAtOnce steps(loop, info, kMostStackedBytes);
  Values values;
  for (Instruction& value : loop.body().instructions()) {
    if (!is_short_product(value) || !steps.depends_on_step(value) || !steps.can_make(value)) continue;
    Instruction* end = end_of_chain(steps, &value);
    if (std::ranges::find(values, end) == values.end()) values.push_back(end);
  }
  if (values.empty()) return false;
  steps.make({values.begin(), values.end()}, loop.loop());
  GraphBuilder before(loop.loop());
  Values stacks;
  for (const Instruction* value : values) stacks.push_back(steps.all(*value, before));
  const Values reads = add_invariants(loop, stacks);
  for (size_t i = 0; i < values.size(); ++i) {
    GraphBuilder inside(*values[i]);
    values[i]->replace_all_uses_with(inside.part_at(reads[i], step_number(loop, info, inside), 0));
  }
  return true;
}

// A carry that the loop fills or adds up, and that no step needs: what is recorded or added in a step.
struct Result {
  size_t carry = 0;
  Instruction* of_step = nullptr;
  bool is_sum = false;
};

std::optional<Result> result_of(const CarriedLoop& loop, size_t carry, StepsAtOnce* steps) {
  Instruction* next = loop.next(carry);
  if (steps->fills(carry)) return Result{carry, next->operand(1), false};
  Instruction* read = only_read(loop, carry);
  const bool adds = read != nullptr && next->opcode == Opcode::kAdd && is_read_once(*read, *next) &&
                    is_read_once(*next, *loop.body().root());
  if (!adds) return std::nullopt;
  Instruction* term = next->operand(next->operand(0) == read ? 1 : 0);
  return steps->can_sum(*term) ? std::optional(Result{carry, term, true}) : std::nullopt;
}

// What of the body moves behind the loop.
class Later {
 public:
  Later(const CarriedLoop& loop, StepsAtOnce* steps, std::vector<Result> results)
      : loop_(loop), steps_(*steps), results_(std::move(results)) {
    note_sums();
    note_moved();
  }

  const std::vector<Result>& results() const { return results_; }

  // Whether the result moves, and a product with it: of a sum, all that it is made of.
  bool moves_product(const Result& result) const {
    return has_product(result) && (!result.is_sum || moves_whole(result));
  }

  // What it reads of the steps, in the order of the body.
  Values stacked() const {
    Values result;
    for (Instruction& value : loop_.body().instructions()) {
      const bool is_read =
          std::ranges::any_of(value.users(), [&](Instruction* user) { return moved_.count(user) > 0; });
      const bool stays = steps_.depends_on_step(value) && !steps_.can_make(value) && moved_.count(&value) == 0;
      if (is_read && stays) result.push_back(&value);
    }
    return result;
  }

 private:
  bool has_product(const Result& result) const {
    InstructionSet seen;
    std::vector<const Instruction*> open = {result.of_step};
    while (!open.empty()) {
      const Instruction* value = open.back();
      open.pop_back();
      if (moved_.count(value) == 0 || !seen.insert(value).second) continue;
      if (value->opcode == Opcode::kDot) return true;
      open.insert(open.end(), value->operands().begin(), value->operands().end());
    }
    return false;
  }
  // A product that something else in the loop reads stays: what it is made of is not there behind the loop.
  bool moves_whole(const Result& sum) const {
    return std::ranges::all_of(parts_of(sum), [&](const Instruction* part) { return moved_.count(part) > 0; });
  }
  // What a sum adds up, down to its products and sums over elements.
  static InstructionSet parts_of(const Result& sum) {
    InstructionSet result;
    std::vector<const Instruction*> open = {sum.of_step};
    while (!open.empty()) {
      const Instruction* value = open.back();
      open.pop_back();
      const bool ends = value->opcode == Opcode::kDot || value->opcode == Opcode::kReduce;
      if (!result.insert(value).second || ends) continue;
      open.insert(open.end(), value->operands().begin(), value->operands().end());
    }
    return result;
  }

  // The parts of sums are not made step by step, however large they are.
  void note_sums() {
    for (const Result& result : results_) {
      if (result.is_sum) summed_.merge(parts_of(result));
    }
  }

  // Products and sums that only results need, and what follows from these.
  void note_moved() {
    InstructionSet ends, only;
    for (const Result& result : results_) ends.insert(loop_.next(result.carry));
    const std::list<Instruction>& body = loop_.body().instructions();
    for (auto value = body.rbegin(); value != body.rend(); ++value) {
      const bool apart = !value->users().empty() && std::ranges::all_of(value->users(), [&](const Instruction* user) {
        return only.count(user) > 0 || ends.count(user) > 0;
      });
      if (apart && ends.count(&*value) == 0 && !carry_read(*value) && can_move(*value)) only.insert(&*value);
    }
    for (const Instruction& value : body) {
      if (only.count(&value) == 0 || !steps_.depends_on_step(value)) continue;
      bool moves = is_short_product(value) || value.opcode == Opcode::kReduce;
      for (const Instruction* operand : value.operands()) moves |= moved_.count(operand) > 0;
      if (moves) moved_.insert(&value);
    }
  }
  bool can_move(const Instruction& value) const {
    return steps_.supports(value) && (steps_.fits(value) || summed_.count(&value) > 0);
  }

  const CarriedLoop& loop_;
  StepsAtOnce& steps_;
  std::vector<Result> results_;
  InstructionSet summed_, moved_;
};

// Results that products lead to, and sums over elements of what these read.
std::optional<Later> find_later(const CarriedLoop& loop, StepsAtOnce* steps) {
  std::vector<Result> candidates;
  for (size_t i = 0; i < loop.count(); ++i) {
    if (const std::optional<Result> result = result_of(loop, i, steps)) candidates.push_back(*result);
  }
  // What one that stays reads, the others do not take along.
  std::vector<Result> results = candidates;
  for (size_t before = results.size() + 1; results.size() < before;) {
    before = results.size();
    const Later of_these(loop, steps, results);
    std::erase_if(results, [&](const Result& result) { return !of_these.moves_product(result); });
  }
  if (results.empty()) return std::nullopt;
  const auto is_taken = [&](const Result& result) {
    return std::ranges::any_of(results, [&](const Result& taken) { return taken.carry == result.carry; });
  };
  const Values stacked = Later(loop, steps, results).stacked();
  for (const Result& result : candidates) {
    if (!result.is_sum || is_taken(result)) continue;
    const std::vector<const Instruction*> parts = steps->summed(*result.of_step);
    const auto is_there = [&](const Instruction* part) {
      return !steps->depends_on_step(*part) || steps->can_make(*part) ||
             std::ranges::find(stacked, part) != stacked.end();
    };
    if (std::ranges::all_of(parts, is_there)) results.push_back(result);
  }
  Later later(loop, steps, results);
  const bool fits = std::ranges::all_of(
      later.stacked(), [&](Instruction* value) { return value->shape.is_array() && steps->fits(*value); });
  return fits ? std::optional(std::move(later)) : std::nullopt;
}

// The carry that records a value in each step, if one does.
std::optional<size_t> recorded(const CarriedLoop& loop, const Instruction& value, StepsAtOnce* steps) {
  for (size_t i = 0; i < loop.count(); ++i) {
    if (!steps->fills(i)) continue;
    const Instruction* piece = loop.next(i)->operand(1);
    if (piece->opcode == Opcode::kReshape) piece = piece->operand(0);
    if (piece == &value) return i;
  }
  return std::nullopt;
}

// Products of what steps make.
bool move_behind(const CarriedLoop& loop, const WhileInfo& info) {
  StepsAtOnce steps(loop, info, kMostStackedBytes);
  const std::optional<Later> later = find_later(loop, &steps);
  if (!later) return false;

  const size_t carries = loop.count();
  GraphBuilder before(loop.loop());
  Values recorded_already, stacked, zeros;
  std::vector<size_t> recorders;
  for (Instruction* value : later->stacked()) {
    if (const std::optional<size_t> carry = recorded(loop, *value, &steps)) {
      recorded_already.push_back(value);
      recorders.push_back(*carry);
      continue;
    }
    const Value zero = before.constant(Literal(Shape::scalar(value->shape.dtype)));
    stacked.push_back(value);
    zeros.push_back(before.splat(zero, with_steps(info.trip_count.value(), value->shape.dims)));
  }
  const Values reads = add_invariants(loop, zeros);
  GraphBuilder inside(*loop.body().root());
  for (size_t i = 0; i < stacked.size(); ++i) {
    const Value update = inside.with_part_at(reads[i], step_number(loop, info, inside), 0, stacked[i]);
    loop.body().root()->set_operand(carries + i, update);
  }

  Instruction& position = behind(loop.loop());
  GraphBuilder at(position);
  for (size_t i = 0; i < stacked.size(); ++i)
    steps.give(*stacked[i], at.tuple_element(&loop.loop(), static_cast<int64_t>(carries + i)));
  for (size_t i = 0; i < recorders.size(); ++i) {
    const Value array = at.tuple_element(&loop.loop(), static_cast<int64_t>(recorders[i]));
    const GraphBuilder::Dims& dims = recorded_already[i]->shape.dims;
    steps.give(*recorded_already[i],
               at.reshape(steps.pieces(recorders[i], array, at), with_steps(steps.steps(), dims)));
  }
  std::vector<const Instruction*> made;
  for (const Result& result : later->results()) {
    if (!result.is_sum) made.push_back(result.of_step);
    if (!result.is_sum) continue;
    for (const Instruction* part : steps.summed(*result.of_step)) made.push_back(part);
  }
  steps.make(made, position);
  for (const Result& result : later->results()) {
    const Value value = result.is_sum ? at.add({loop.init(result.carry), steps.sum(*result.of_step, position)})
                                      : steps.filled(result.carry, at);
    for (Instruction* read : loop.reads_after(result.carry)) read->replace_all_uses_with(value);
  }
  return true;
}

bool split(Instruction& instruction) {
  const CarriedLoop loop(instruction);
  const WhileInfo info = analyze_while(instruction);
  if (!can_number_steps(loop, info) || info.trip_count.value_or(0) < 2) return false;
  if (move_before(loop, info)) return true;
  return move_behind(loop, info);
}

}  // namespace

bool split_loops(Module& module, const GraphPassOptions&) {
  bool changed = false;
  for (Instruction* loop : instructions_of(module, Opcode::kWhile)) changed |= split(*loop);
  if (!changed) return false;
  module.sort_computations();
  remove_dead_code(module);
  return true;
}

}  // namespace sinter
