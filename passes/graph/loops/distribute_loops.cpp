// distribute_loops: a loop whose state is of two parts, of which one needs nothing of the other, becomes two loops. The
// first stacks what the second reads of it:
//
//   body:  %p' = f32[8,8] ... %p              =>    first:   %p' = ... %p
//          %gain = f32[8,4] ... %p'                          %gains' = dynamic-update-slice(%gains, %gain, %t)
//          %x' = f32[512,8] ... %x, %gain           second:  %gain = dynamic-slice(%gains, %t)
//                                                            %x' = ... %x, %gain
//
// Filters that jax.vmap has made of one are such loops, whose covariances are the same for all; and layers of a
// recurrent network, one above the other. Each loop then takes the threads that suit it, and waits for nobody else's
// steps. What solves systems of a step's inputs alone is in a loop of its own likewise, whose steps need nothing of
// each other. Parts that solve or multiply something each; the scheduler plans without it, too.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <ranges>
#include <unordered_map>
#include <vector>

#include "ir/module/effects.h"
#include "ir/module/solver_calls.h"
#include "ir/ops/op_table.h"
#include "passes/analysis/loops/by_element.h"
#include "passes/analysis/loops/while_analysis.h"
#include "passes/analysis/loops/while_carries.h"
#include "passes/graph/base/change_carries.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"
#include "passes/graph/loops/steps_at_once.h"

namespace sinter {
namespace {

using Value = GraphBuilder::Value;
using Values = std::vector<Instruction*>;
using CarrySet = uint64_t;  // a bit for each

constexpr size_t kMostCarries = 64;
constexpr int64_t kFewestSteps = 8;  // a second loop takes a launch
constexpr int64_t kMostHandedOverBytes = int64_t{1} << 28;

CarrySet bit(size_t carry) { return CarrySet{1} << carry; }
bool is_within(CarrySet some, CarrySet all) { return (some & ~all) == 0; }

bool solves_or_multiplies(const Instruction& value) {
  return value.opcode == Opcode::kDot || value.opcode == Opcode::kConvolution || solver_call(value).has_value();
}

// Which carries, of those that steps change, the values of a loop's body are made of.
class Needs {
 public:
  Needs(const CarriedLoop& loop, const WhileInfo& info) : loop_(loop), info_(info) {
    for (const Instruction& value : loop.body().instructions()) note(value);
    for (size_t i = 0; i < loop.count(); ++i) of_carries_.push_back(is_changed(i) ? of(*loop.next(i)) | bit(i) : 0);
    for (bool changed = true; changed;) {
      changed = false;
      for (CarrySet& needs : of_carries_) {
        CarrySet all = needs;
        for (size_t i = 0; i < of_carries_.size(); ++i) all |= (needs & bit(i)) != 0 ? of_carries_[i] : 0;
        changed |= all != needs;
        needs = all;
      }
    }
  }

  // Whether a step of these carries needs the one before.
  bool hands_on(CarrySet carries) const {
    for (size_t i = 0; i < of_carries_.size(); ++i) {
      if ((carries & bit(i)) != 0 && !is_filled(loop_, i)) return true;
    }
    return false;
  }
  bool is_changed(size_t carry) const { return info_.carries[carry].kind == CarryKind::kGeneral; }
  CarrySet of(const Instruction& value) const { return made_of_.at(&value).carries; }
  // In some step before, too: closed under what carries are made of.
  CarrySet of_carry(size_t carry) const { return of_carries_[carry]; }
  // Whether all that it is made of is of the step's inputs, and a system is solved, or a loop runs, on the way.
  bool is_dear_input(const Instruction& value) const {
    const MadeOf& made_of = made_of_.at(&value);
    return made_of.carries == 0 && made_of.is_dear;
  }

 private:
  struct MadeOf {
    CarrySet carries = 0;
    bool depends_on_step = false;
    bool is_dear = false;
  };

  void note(const Instruction& value) {
    MadeOf& made_of = made_of_[&value];
    if (const std::optional<size_t> carry = carry_read(value)) {
      made_of.carries = is_changed(*carry) ? bit(*carry) : 0;
      made_of.depends_on_step = info_.carries[*carry].kind != CarryKind::kInvariant;
      return;
    }
    for (const Instruction* operand : value.operands()) {
      const MadeOf& part = made_of_.at(operand);
      made_of.carries |= part.carries;
      made_of.depends_on_step |= part.depends_on_step;
      made_of.is_dear |= part.is_dear;
    }
    const bool takes_long = solver_call(value).has_value() || value.opcode == Opcode::kWhile;
    made_of.is_dear |= takes_long && made_of.depends_on_step;
  }

  const CarriedLoop& loop_;
  const WhileInfo& info_;
  std::unordered_map<const Instruction*, MadeOf> made_of_;
  std::vector<CarrySet> of_carries_;
};

// What the first of two loops has: carries, and of the values those that the second reads.
struct First {
  CarrySet carries = 0;
  Values handed_over;
};

class Distribution {
 public:
  Distribution(const CarriedLoop& loop, const WhileInfo& info)
      : loop_(loop), info_(info), needs_(loop, info), steps_(loop, info, kMostHandedOverBytes) {}

  // Of the ways to take a loop apart the one whose first loop carries least; nullopt: it stays whole.
  std::optional<First> find() {
    std::vector<CarrySet> offered = {0};
    for (size_t i = 0; i < loop_.count(); ++i) {
      if (needs_.is_changed(i) && !steps_.fills(i)) offered.push_back(needs_.of_carry(i));
    }
    std::ranges::sort(offered, {}, [](CarrySet carries) { return std::popcount(carries); });
    for (const CarrySet carries : offered) {
      First first = {.carries = carries};
      take_stacks(&first);
      if (is_worth_it(first) && hand_over(&first)) return first;
    }
    return std::nullopt;
  }

  void make(const First& first) const {
    Instruction& second = loop_.loop();
    std::unordered_map<const Instruction*, Instruction*> copies;
    Instruction* copy = copy_loop(&copies);
    const CarriedLoop of_first(*copy);

    // The first loop stacks what the second one reads.
    const size_t carries = loop_.count();
    GraphBuilder before(*copy);
    Values zeros;
    for (const Instruction* value : first.handed_over) {
      const Value zero = before.constant(Literal(Shape::scalar(value->shape.dtype)));
      zeros.push_back(before.splat(zero, with_steps(*info_.trip_count, value->shape.dims)));
    }
    const Values old = add_invariants(of_first, zeros);
    GraphBuilder inside(*of_first.body().root());
    for (size_t i = 0; i < old.size(); ++i) {
      Instruction* value = copies.at(first.handed_over[i]);
      const Value number = step_number(of_first, info_, inside);
      of_first.body().root()->set_operand(carries + i, inside.with_part_at(old[i], number, 0, value));
    }

    Values stacks;
    GraphBuilder between(second);
    for (size_t i = 0; i < old.size(); ++i)
      stacks.push_back(between.tuple_element(copy, static_cast<int64_t>(carries + i)));
    const Values reads = add_invariants(loop_, stacks);
    for (size_t i = 0; i < reads.size(); ++i) {
      Instruction& value = *first.handed_over[i];
      GraphBuilder at(value);
      value.replace_all_uses_with(at.part_at(reads[i], step_number(loop_, info_, at), 0));
    }

    // Of what each carries the other has none.
    std::vector<bool> kept_first, kept_second;
    for (size_t i = 0; i < carries; ++i) {
      const bool is_of_first = (first.carries & bit(i)) != 0;
      kept_first.push_back(!needs_.is_changed(i) || is_of_first);
      kept_second.push_back(!needs_.is_changed(i) || !is_of_first);
      if (!is_of_first) continue;
      for (Instruction* read : loop_.reads_after(i)) read->set_operand(0, copy);
    }
    kept_first.resize(of_first.count(), true);
    kept_second.resize(loop_.count(), true);
    keep_carries(of_first, kept_first);
    keep_carries(loop_, kept_second);
    second.parent()->sort();
  }

 private:
  bool is_of_first(const First& first, const Instruction& value) const {
    const CarrySet carries = needs_.of(value);
    return carries == 0 ? needs_.is_dear_input(value) : is_within(carries, first.carries);
  }

  // What it only records goes with it.
  void take_stacks(First* first) {
    const CarrySet core = first->carries;
    for (size_t i = 0; i < loop_.count(); ++i) {
      if (!needs_.is_changed(i) || !steps_.fills(i)) continue;
      const Instruction& piece = *loop_.next(i)->operand(1);
      if (is_of_first({.carries = core}, piece)) first->carries |= bit(i);
    }
  }

  // Two loops that hand something on, of which each has something to multiply or to solve: else they had better share
  // their steps.
  bool is_worth_it(const First& first) const {
    bool has_first = false, has_second = false;
    for (const Instruction& value : loop_.body().instructions()) {
      if (!solves_or_multiplies(value) && !needs_.is_dear_input(value)) continue;
      (is_of_first(first, value) ? has_first : has_second) = true;
    }
    return has_first && (has_second || !needs_.hands_on(first.carries));
  }

  // Finds what is handed over. False: there is nothing, or too much.
  bool hand_over(First* first) {
    InstructionSet again;  // made again in the second loop
    const auto is_there = [&](const Instruction& value) {
      return is_of_first(*first, value) && again.count(&value) == 0;
    };
    const auto is_handed_over = [&](const Instruction& value) {
      if (!is_there(value)) return false;
      return std::ranges::any_of(value.users(),
                                 [&](const Instruction* user) { return reads_outside(*first, value, *user, again); });
    };
    // Of what only moves elements, or more than it is made of, what it is made of.
    for (const Instruction& value : loop_.body().instructions() | std::views::reverse) {
      if (value.operands().size() != 1 || carry_read(value) || !is_handed_over(value)) continue;
      const Shape& of = value.operand(0)->shape;
      const bool is_view = op_def(value.opcode).source_index != nullptr;
      if (is_view && of.is_array() && is_there(*value.operand(0)) && of.bytes() <= value.shape.bytes())
        again.insert(&value);
    }
    int64_t bytes = 0;
    for (Instruction& value : loop_.body().instructions()) {
      if (!is_handed_over(value)) continue;
      if (!value.shape.is_array()) return false;
      first->handed_over.push_back(&value);
      if (value.shape.bytes() > kMostHandedOverBytes / *info_.trip_count) return false;
      bytes += value.shape.bytes() * *info_.trip_count;
    }
    return !first->handed_over.empty() && bytes <= kMostHandedOverBytes;
  }

  // Whether the user is in the second loop.
  bool reads_outside(const First& first, const Instruction& value, const Instruction& user,
                     const InstructionSet& again) const {
    if (&user != loop_.body().root()) return !is_of_first(first, user) || again.count(&user) > 0;
    for (size_t i = 0; i < loop_.count(); ++i) {
      const bool is_next = loop_.next(i) == &value && needs_.is_changed(i);
      if (is_next && (first.carries & bit(i)) == 0) return true;
    }
    return false;
  }

  // The same loop, before this one, with computations of its own.
  Instruction* copy_loop(std::unordered_map<const Instruction*, Instruction*>* copies) const {
    Instruction& loop = loop_.loop();
    Instruction* copy = loop.parent()->add_copy(loop, loop.operands(), &loop);
    Attributes& attributes = copy->attributes.edit();
    attributes.body = copy_with_loops(loop_.body());
    attributes.condition = copy_with_loops(loop_.condition());
    auto copied = (*attributes.body)->instructions().begin();
    for (const Instruction& value : loop_.body().instructions()) (*copies)[&value] = &*copied++;
    return copy;
  }

  static Computation* copy_with_loops(const Computation& computation) {
    Computation* copy = clone_computation(computation);
    for (Instruction& instruction : copy->instructions()) {
      if (instruction.opcode != Opcode::kWhile) continue;
      Attributes& attributes = instruction.attributes.edit();
      attributes.body = copy_with_loops(**attributes.body);
      attributes.condition = copy_with_loops(**attributes.condition);
    }
    return copy;
  }

  const CarriedLoop& loop_;
  const WhileInfo& info_;
  const Needs needs_;
  StepsAtOnce steps_;
};

bool has_branches(const Computation& computation) {
  return std::ranges::any_of(computation.instructions(), [](const Instruction& instruction) {
    return instruction.opcode == Opcode::kConditional ||
           (instruction.opcode == Opcode::kWhile && has_branches(**instruction.attributes->body));
  });
}

bool distribute(Instruction& instruction, const ComputationSet& effects) {
  const CarriedLoop loop(instruction);
  if (loop.count() > kMostCarries) return false;
  const WhileInfo info = analyze_while(instruction);
  const bool is_plain = can_number_steps(loop, info) && *info.trip_count >= kFewestSteps &&
                        !has_effect(instruction, effects) && instruction.control_predecessors.empty() &&
                        !has_branches(loop.body());
  // What threads of an element each can run waits for nobody.
  if (!is_plain || values_by_element(loop, {})) return false;
  Distribution distribution(loop, info);
  const std::optional<First> first = distribution.find();
  if (!first) return false;
  distribution.make(*first);
  return true;
}

}  // namespace

bool distribute_loops(Module& module, const GraphPassOptions&) {
  const ComputationSet effects = computations_with_effects(module);
  bool changed = false;
  for (Instruction* loop : instructions_of(module, Opcode::kWhile)) {
    while (distribute(*loop, effects)) changed = true;
  }
  if (!changed) return false;
  module.sort_computations();
  remove_dead_code(module);
  return true;
}

}  // namespace sinter
