// stack_reductions: a loop whose steps reduce all elements, but need the results for no next element, is cut in two.
// The first stacks them up, the second goes on from there.
//
//   body:    %next = f32[65536] ...              %mean = f32[] divide(reduce(%next, 0), 65536)
//            %means = f32[2000] dynamic-update-slice(%old, %mean, %t)
//                                =>
//   body:    %next = f32[65536] ...              %sum = f32[] reduce(%next, 0)
//            %sums = f32[2000] dynamic-update-slice(%old, %sum, %k)
//   body 2:  %mean = f32[] divide(dynamic-slice(%sums, %k), 65536)
//            %means = f32[2000] dynamic-update-slice(%old, %mean, %t)
//
// Then a thread can run the first loop for an element, and blocks of threads reduce what they have of its steps. Where
// a thread has several elements of what is reduced, f32[2048,4] say, a row of it, the first loop stacks all of them,
// f32[2000,2048,4]. Where few elements are one block's threads anyway, loops are left alone.
#include <algorithm>
#include <unordered_map>

#include "passes/analysis/functions/combiner.h"
#include "passes/analysis/loops/stacked_reductions.h"
#include "passes/analysis/loops/while_analysis.h"
#include "passes/analysis/values/hardware.h"
#include "passes/graph/base/change_carries.h"
#include "passes/graph/base/graph_loop.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"

namespace sinter {
namespace {

using Value = GraphBuilder::Value;
using Values = std::vector<Value>;
using Copies = std::unordered_map<const Instruction*, Value>;

// Reductions of all of an array that is too large for a block.
std::vector<Instruction*> whole_reductions(const CarriedLoop& loop) {
  std::vector<Instruction*> result;
  for (Instruction& reduce : loop.body().instructions()) {
    if (reduce.opcode != Opcode::kReduce || reduce.operands().size() != 2 || !reduce.shape.is_scalar()) continue;
    const int64_t elements = reduce.operand(0)->shape.element_count();
    const std::optional<Opcode> combiner = simple_combiner(**reduce.attributes->to_apply);
    if (combiner && elements > kMostThreads && splat_value(*reduce.operand(1))) result.push_back(&reduce);
  }
  return result;
}

// What depends on the reductions: of this step or, through what is carried, of steps before.
InstructionSet dependents(const CarriedLoop& loop, const std::vector<Instruction*>& reductions) {
  InstructionSet result;
  std::vector<const Instruction*> open(reductions.begin(), reductions.end());
  while (!open.empty()) {
    const Instruction* value = open.back();
    open.pop_back();
    for (const Instruction* user : value->users()) {
      if (user == loop.body().root()) {
        for (size_t i = 0; i < loop.count(); ++i) {
          if (loop.next(i) != value) continue;
          const Values reads = loop.reads(loop.body(), i);
          for (const Instruction* read : reads) {
            if (result.insert(read).second) open.push_back(read);
          }
        }
      } else if (result.insert(user).second) {
        open.push_back(user);
      }
    }
  }
  return result;
}

// A loop, and how it is cut.
struct Cut {
  std::vector<Instruction*> reductions;      // whose results are stacked
  std::vector<bool> whole;                   // of these: what is reduced is stacked, not the result
  std::vector<const Instruction*> elements;  // what else the second loop reads, in their order
  std::vector<bool> second;                  // of the carries: what the second loop gives
};

// Whether elements of all steps are few enough, and the second loop, which reads them, only records what it makes: its
// steps can become operations on all of them then (batch_loops).
bool can_stack(const CarriedLoop& loop, const Cut& cut, int64_t trip) {
  int64_t all = 0;
  for (const Instruction* value : cut.elements) {
    if (!value->shape.is_array()) return false;
    all += value->shape.element_count();
  }
  for (size_t i = 0; i < loop.count(); ++i) {
    if (cut.second[i] && !is_filled(loop, i)) return false;
  }
  return all <= kMostStacked / trip;
}

std::optional<Cut> find_cut(const CarriedLoop& loop, int64_t trip) {
  Cut cut{whole_reductions(loop), {}, {}, std::vector<bool>(loop.count())};
  const InstructionSet done = stacked_reductions(loop);
  const auto is_done = [&](const Instruction* reduce) { return done.count(reduce) > 0; };
  if (std::ranges::all_of(cut.reductions, is_done) || !loop.body().root()->users().empty()) return std::nullopt;
  InstructionSet later = dependents(loop, cut.reductions);
  for (const Instruction& instruction : loop.body().instructions()) {
    // Bodies of loops and branches belong to one instruction alone.
    const bool reduces = instruction.opcode == Opcode::kReduce || instruction.opcode == Opcode::kCall;
    if (!reduces && !instruction.called_computations().empty()) return std::nullopt;
  }
  // Those that depend on others, a deviation from a mean, are the second loop's.
  std::erase_if(cut.reductions, [&](const Instruction* reduce) { return later.count(reduce) > 0; });
  if (cut.reductions.empty()) return std::nullopt;
  later.insert(cut.reductions.begin(), cut.reductions.end());
  const std::optional<LoopThreads> threads = threads_of(loop, later, cut.reductions[0]->operand(0)->shape);
  if (!threads) return std::nullopt;
  for (const Instruction* reduce : cut.reductions) {
    const int64_t elements = reduce->operand(0)->shape.element_count();
    if (!threads->rows && elements != threads->count) return std::nullopt;
    const bool in_parts = part_beginning(*simple_combiner(**reduce->attributes->to_apply),
                                         sum_type(reduce->shape.dtype), *reduce->operand(1))
                              .has_value();
    cut.whole.push_back(!in_parts || !blocks_reduce(elements, threads->count, trip));
    if (cut.whole.back() && elements > kMostStacked / trip) return std::nullopt;
  }

  // What the second loop computes: for each thing that depends on reductions all else that it reads.
  InstructionSet seen(cut.reductions.begin(), cut.reductions.end());
  std::vector<const Instruction*> open;
  const auto need = [&](const Instruction* value) {
    if (seen.insert(value).second) open.push_back(value);
  };
  for (size_t i = 0; i < loop.count(); ++i) {
    cut.second[i] = later.count(loop.next(i)) > 0;
    if (cut.second[i] && !loop.reads(loop.condition(), i).empty()) return std::nullopt;
    if (cut.second[i]) need(loop.next(i));
  }
  while (!open.empty()) {
    const Instruction* value = open.back();
    open.pop_back();
    if (threads->values.count(value) > 0) {
      cut.elements.push_back(value);
      continue;
    }
    for (const Instruction* operand : value->operands()) need(operand);
    if (const std::optional<size_t> carry = carry_read(*value)) need(loop.next(*carry));
  }
  if (!cut.elements.empty() && !can_stack(loop, cut, trip)) return std::nullopt;
  return cut;
}

// Appends a body to another computation, but for what is there already.
void copy_body(const CarriedLoop& loop, Computation& to, Copies* copies) {
  for (const Instruction& instruction : loop.body().instructions()) {
    if (instruction.opcode == Opcode::kParameter || &instruction == loop.body().root()) continue;
    if (copies->count(&instruction) > 0) continue;
    Values operands;
    for (const Instruction* operand : instruction.operands()) operands.push_back(copies->at(operand));
    (*copies)[&instruction] = to.add_copy(instruction, operands);
  }
}

Copies read_as(const CarriedLoop& loop, const Values& state) {
  Copies copies;
  for (size_t i = 0; i < loop.count(); ++i) {
    for (const Instruction* read : loop.reads(loop.body(), i)) copies[read] = state[i];
  }
  return copies;
}

// What is stacked in each step: the result of a reduction, or, `whole`, what it reduces; or elements that the second
// loop reads as they are.
struct Stack {
  const Instruction* value = nullptr;  // that the second loop has
  const Instruction* stacked = nullptr;
  DType type = DType::kF32;  // of the stack
  bool whole = false;
  GraphBuilder::Dims dims;  // of a step

  explicit Stack(const Instruction& elements)
      : value(&elements), stacked(&elements), type(elements.shape.dtype), dims(elements.shape.dims) {}
  Stack(const Instruction& reduction, bool stacks_whole)
      : value(&reduction), stacked(reduction.operand(0)), type(sum_type(reduction.shape.dtype)), whole(stacks_whole) {
    if (whole) dims = stacked->shape.dims;
  }

  bool is_reduction() const { return value != stacked; }

  // All elements reduced, along the dimensions from `first` on.
  Value reduced(GraphBuilder& at, Module& module, Value elements, int64_t first) const {
    GraphBuilder::Dims dimensions;
    for (int64_t d = first; d < std::ssize(elements->shape.dims); ++d) dimensions.push_back(d);
    const Value begin = at.convert(at.constant(*splat_value(*value->operand(1))), type);
    return at.reduce(elements, begin, dimensions, *simple_combiner(**value->attributes->to_apply), module);
  }
};

void cut_in_two(const CarriedLoop& loop, int64_t trip, const Cut& cut) {
  Module& module = *loop.body().parent();
  GraphBuilder at(loop.loop());
  std::vector<Stack> stacks;
  for (size_t i = 0; i < cut.reductions.size(); ++i) stacks.emplace_back(*cut.reductions[i], cut.whole[i]);
  for (const Instruction* elements : cut.elements) stacks.emplace_back(*elements);
  Values initial;
  for (size_t i = 0; i < loop.count(); ++i) {
    Value init = loop.init(i);
    initial.push_back(init != nullptr ? init : at.tuple_element(loop.loop().operand(0), static_cast<int64_t>(i)));
  }
  Values first_initial = initial;
  for (const Stack& stack : stacks) {
    const Literal zero = Literal(Shape::scalar(stack.type));
    first_initial.push_back(at.splat(at.constant(zero), with_steps(trip, stack.dims)));
  }
  const Values first =
      build_loop(at, module, first_initial, trip, [&](GraphBuilder& inside, Value step, const Values& state) {
        Copies copies = read_as(loop, state);
        copy_body(loop, *step->parent(), &copies);
        Values next;
        for (size_t i = 0; i < loop.count(); ++i) next.push_back(copies.at(loop.next(i)));
        for (size_t s = 0; s < stacks.size(); ++s) {
          const Stack& stack = stacks[s];
          Value of_step = inside.convert(copies.at(stack.stacked), stack.type);
          if (stack.is_reduction() && !stack.whole) of_step = stack.reduced(inside, module, of_step, 0);
          next.push_back(inside.with_part_at(state[loop.count() + s], step, 0, of_step));
        }
        return next;
      });

  Values second_initial = initial;
  for (size_t s = 0; s < stacks.size(); ++s) {
    Value all = first[loop.count() + s];
    if (stacks[s].whole) all = stacks[s].reduced(at, module, all, 1);
    second_initial.push_back(at.convert(all, stacks[s].value->shape.dtype));
  }
  const Values second =
      build_loop(at, module, second_initial, trip, [&](GraphBuilder& inside, Value step, const Values& state) {
        Copies copies = read_as(loop, state);
        for (size_t s = 0; s < stacks.size(); ++s)
          copies[stacks[s].value] = inside.part_at(state[loop.count() + s], step, 0);
        copy_body(loop, *step->parent(), &copies);
        Values next;
        for (size_t i = 0; i < loop.count(); ++i) next.push_back(copies.at(loop.next(i)));
        next.insert(next.end(), state.begin() + std::ssize(next), state.end());
        return next;
      });

  for (size_t i = 0; i < loop.count(); ++i) {
    for (Instruction* read : loop.reads_after(i)) read->replace_all_uses_with(cut.second[i] ? second[i] : first[i]);
  }
}

bool stack_in(Instruction& instruction, const ComputationSet& effects) {
  const CarriedLoop loop(instruction);
  // Inside of another loop there may be a thread for each of its elements.
  if (instruction.parent() != instruction.parent()->parent()->entry() || !loop.is_taken_apart()) return false;
  const std::optional<int64_t> trip = analyze_while(instruction).trip_count;
  if (!trip || *trip == 0 || has_effect(instruction, effects)) return false;
  const std::optional<Cut> cut = find_cut(loop, *trip);
  if (!cut) return false;
  cut_in_two(loop, *trip, *cut);
  return true;
}

}  // namespace

bool stack_reductions(Module& module, const GraphPassOptions&) {
  const ComputationSet effects = computations_with_effects(module);
  const std::vector<Instruction*> before = instructions_of(module, Opcode::kWhile);
  bool changed = false;
  for (Instruction* loop : before) changed |= stack_in(*loop, effects);
  if (!changed) return false;
  module.sort_computations();
  remove_dead_code(module);
  // Each of the two loops makes what it gives, nothing that the other one does.
  for (Instruction* made : instructions_of(module, Opcode::kWhile)) {
    if (std::find(before.begin(), before.end(), made) != before.end()) continue;
    CarriedLoop loop(*made);
    keep_carries(loop, loop.live());
  }
  remove_dead_code(module);
  return true;
}

}  // namespace sinter
