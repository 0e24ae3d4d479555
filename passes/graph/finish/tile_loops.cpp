// tile_loops: several steps of a loop become one instruction, a fusion with a stage of its own (passes/stages/stencil),
// where a step is a stencil: each element of the next state reads a few around it. Its blocks compute again what their
// neighbours have, and memory is read and written once for all of these steps.
//
//   while, 1000 steps:  %u = step(%i, %u)                     while, 125:  %u = f32[4096,4096] fusion(%i, %u),
//   calls=%steps
//                       %i = add(%i, 1)                =>                  %i = add(%i, 8)
//
//   %steps (%i, %u) { while, the 8 steps from %i on, but none after the last }
//
// Loops that data end, and steps that reduce the state, are left as they are, as are those of which a block has all
// elements.
#include <algorithm>
#include <map>
#include <set>

#include "passes/analysis/functions/stencil_steps.h"
#include "passes/analysis/loops/while_analysis.h"
#include "passes/analysis/loops/while_carries.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"
#include "passes/stages/stencil/tiles_form.h"

namespace sinter {
namespace {

using Value = GraphBuilder::Value;
using Values = std::vector<Value>;

// Elements of a state that the threads of one block can have, one each: such a loop runs in a block.
bool fits_block(const Stencil& stencil) { return stencil.rows.extent * stencil.columns.extent <= kMostThreads; }

class Tiler {
 public:
  Tiler(Module& module, Instruction& loop) : module_(module), loop_(loop), info_(analyze_while(loop)) {}

  bool run() {
    if (!is_counted()) return false;
    StepCounters counters;
    for (size_t i = 0; i < info_.carries.size(); ++i) {
      const Carry& carry = info_.carries[i];
      if (carry.kind == CarryKind::kInduction) counters[i] = {carry.start, carry.step};
    }
    const std::optional<Stencil> stencil = find_stencil(loop_.loop(), counters, *info_.trip_count);
    if (!stencil || fits_block(*stencil)) return false;
    const std::optional<TilesForm> form = choose_tiles(*stencil, *info_.trip_count);
    if (!form || !counts_on(form->steps_at_once)) return false;
    for (const Stencil::State& state : stencil->states) states_.push_back(state.carry);
    for (const Stencil::Number& number : stencil->numbers) states_.push_back(number.carry);
    if (form->is_one_launch() && is_replaceable()) {
      replace_loop(*form);
    } else {
      replace_body(*form);
    }
    return true;
  }

 private:
  // So many steps are made as a counter says, up to which it can be seen how many are left.
  bool is_counted() const {
    if (!info_.trip_count || info_.counter < 0 || !loop_.is_taken_apart()) return false;
    for (size_t i = 0; i < loop_.count(); ++i) {
      if (loop_.init(i) == nullptr || loop_.next(i) == nullptr) return false;
      if (info_.carries[i].kind != CarryKind::kInduction) continue;
      if (!loop_.next(i)->shape.is_scalar()) return false;
    }
    return loop_.body().root()->opcode == Opcode::kTuple;
  }

  // Whether the counters of so many steps at once end the loop where one by one they do, and are read nowhere after it.
  bool counts_on(int64_t at_once) const {
    const bool whole = *info_.trip_count % at_once == 0;
    for (size_t i = 0; i < loop_.count(); ++i) {
      const Carry& carry = info_.carries[i];
      if (carry.kind != CarryKind::kInduction) continue;
      if (!whole && !loop_.reads_after(i).empty()) return false;
      const DType dtype = loop_.init(i)->shape.dtype;
      // None wraps around: it may be as it is in any step that a launch makes.
      const int64_t last = carry.start + (*info_.trip_count + at_once) * carry.step;
      const bool is_wide = dtype_bits(dtype) >= 32 && (carry.step > 0 || is_signed(dtype));
      if (!is_wide || std::abs(last) > INT32_MAX) return false;
    }
    const Instruction& test = *loop_.condition().root();
    if (test.opcode != Opcode::kCompare) return false;
    const std::string& direction = *test.attributes->direction;
    return whole || (direction != "NE" && direction != "EQ");
  }
  static bool is_signed(DType dtype) { return dtype_class(dtype) == DTypeClass::kSigned; }

  // Whether all steps, made in one launch, can stand where the loop does: what they begin with is in memory there, and
  // how a counter goes on is seen from the loop itself.
  bool is_replaceable() const {
    const bool is_entry = loop_.loop().parent() == module_.entry();
    for (size_t i = 0; i < loop_.count(); ++i) {
      // The counter of a loop around this one is in no memory.
      const Instruction& init = *loop_.init(i);
      const bool is_given = init.opcode == Opcode::kParameter || carry_read(init).has_value();
      if (!is_entry && is_given && init.shape.is_scalar() && is_integer(init.shape.dtype)) return false;
      if (info_.carries[i].kind != CarryKind::kInduction) {
        if (loop_.init(i)->opcode == Opcode::kConstant) return false;
      } else if (!loop_.reads_after(i).empty() || loop_.init(i)->opcode != Opcode::kConstant ||
                 loop_.next(i)->opcode != Opcode::kAdd) {
        return false;
      }
    }
    return true;
  }

  void replace_loop(const TilesForm& form) {
    Instruction& loop = loop_.loop();
    Values operands;
    for (size_t i = 0; i < loop_.count(); ++i) operands.push_back(loop_.init(i));
    const Values results = call_steps(form, loop, operands);
    for (size_t i = 0; i < loop_.count(); ++i) {
      const auto state = std::ranges::find(states_, i);
      const Value value = state == states_.end() ? operands[i] : results[static_cast<size_t>(state - states_.begin())];
      for (Instruction* read : loop_.reads_after(i)) read->replace_all_uses_with(value);
    }
  }

  void replace_body(const TilesForm& form) {
    Computation& body = loop_.body();
    Instruction& root = *body.root();
    GraphBuilder at(root);
    Values operands;
    for (size_t i = 0; i < loop_.count(); ++i)
      operands.push_back(at.tuple_element(CarriedLoop::state(body), static_cast<int64_t>(i)));
    Values next = operands;
    const Values results = call_steps(form, root, operands);
    for (size_t k = 0; k < states_.size(); ++k) next[states_[k]] = results[k];
    for (size_t i = 0; i < loop_.count(); ++i) {
      const Carry& carry = info_.carries[i];
      if (carry.kind != CarryKind::kInduction) continue;
      next[i] = at.add({operands[i], at.integer(operands[i]->shape.dtype, carry.step * form.steps_at_once)});
    }
    root.set_operands(next);
  }

  // The fusion before `position`, and what it gives of each state.
  Values call_steps(const TilesForm& form, Instruction& position, const Values& operands) {
    Computation* steps = outline(form);
    Attributes attributes;
    attributes.fusion_kind = "kCustom";
    attributes.calls = steps;
    const Instruction& first = *loop_.next(states_[0]);
    Instruction* fusion = insert_like(position, Opcode::kFusion, steps->root()->shape, operands, attributes,
                                      carry_read(first) ? "steps" : first.name);
    fusion->metadata = first.metadata;
    fusion->loc = loop_.loop().loc;
    fusion->annotations.edit().frontend_attributes[kStageAttribute] = kStencil;
    fusion->annotations.edit().frontend_attributes[kTilesForm] = tiles_text(form);
    if (states_.size() == 1) return {fusion};
    Values results;
    for (size_t k = 0; k < states_.size(); ++k)
      results.push_back(insert_tuple_element(position, fusion, static_cast<int64_t>(k)));
    return results;
  }

  // The computation of the fusion: its parameters are all carries, its results the states.
  Computation* outline(const TilesForm& form) {
    Computation* steps = module_.add_computation(module_.unique_computation_name("steps"));
    GraphBuilder build(*steps);
    Values state;
    for (size_t i = 0; i < loop_.count(); ++i)
      state.push_back(build.parameter(loop_.init(i)->shape, loop_.init(i)->name));
    const auto counter = static_cast<size_t>(info_.counter);
    const Carry& counted = info_.carries[counter];
    const DType dtype = state[counter]->shape.dtype;
    Value done = build.subtract({state[counter], build.integer(dtype, counted.start)});
    done = build.make(Opcode::kDivide, {done, build.integer(dtype, counted.step)});
    const Value left = build.subtract({build.integer(dtype, form.steps), done});
    state.push_back(build.make(Opcode::kMinimum, {left, build.integer(dtype, form.steps_at_once)}));
    const Value initial = build.tuple(state);
    Attributes attributes;
    attributes.condition = condition_of(initial->shape);
    attributes.body = body_of(initial->shape);
    Instruction* loop = steps->add(Opcode::kWhile, initial->shape, {initial});
    loop->attributes = attributes;
    loop->loc = loop_.loop().loc;
    Values results;
    for (const size_t carry : states_) results.push_back(build.tuple_element(loop, static_cast<int64_t>(carry)));
    steps->set_root(results.size() == 1 ? results[0] : build.tuple(results));
    return steps;
  }

  Computation* condition_of(const Shape& state) {
    Computation* condition = module_.add_computation(module_.unique_computation_name("steps_left"));
    GraphBuilder build(*condition);
    const Value left = build.tuple_element(build.parameter(state, "state"), static_cast<int64_t>(loop_.count()));
    condition->set_root(build.compare({left, build.integer(left->shape.dtype, 0)}, "GT"));
    return condition;
  }

  // The loop's body, which counts down what is left besides.
  Computation* body_of(const Shape& shape) {
    Computation* copy = module_.add_computation(module_.unique_computation_name(loop_.body().name));
    GraphBuilder build(*copy);
    const Value state = build.parameter(shape, "state");
    std::map<const Instruction*, Instruction*> copies;
    for (const Instruction& instruction : loop_.body().instructions()) {
      if (&instruction == loop_.body().root()) continue;
      if (instruction.opcode == Opcode::kParameter) {
        copies[&instruction] = state;
        continue;
      }
      Values operands;
      for (const Instruction* operand : instruction.operands()) operands.push_back(copies.at(operand));
      copies[&instruction] = copy->add_copy(instruction, operands, nullptr, instruction.name);
    }
    Values next;
    for (const Instruction* operand : loop_.body().root()->operands()) next.push_back(copies.at(operand));
    const Value left = build.tuple_element(state, static_cast<int64_t>(loop_.count()));
    next.push_back(build.subtract({left, build.integer(left->shape.dtype, 1)}));
    copy->set_root(build.tuple(next));
    return copy;
  }

  Module& module_;
  CarriedLoop loop_;
  WhileInfo info_;
  std::vector<size_t> states_;  // carries, arrays before numbers
};

// The computations of steps that are in tiles already.
std::set<const Computation*> steps_in_tiles(const Module& module) {
  std::set<const Computation*> steps;  // only looked up
  for (const auto& computation : module.computations()) {
    for (const Instruction& caller : computation->instructions()) {
      if (is_stencil_steps(caller)) steps.insert(*caller.attributes->calls);
    }
  }
  return steps;
}

}  // namespace

bool tile_loops(Module& module, const GraphPassOptions&) {
  bool changed = false;
  const std::set<const Computation*> done = steps_in_tiles(module);
  for (Instruction* loop : instructions_of(module, Opcode::kWhile)) {
    if (!done.contains(loop->parent()) && Tiler(module, *loop).run()) changed = true;
  }
  if (changed) {
    module.sort_computations();
    remove_dead_code(module);
  }
  return changed;
}

}  // namespace sinter
