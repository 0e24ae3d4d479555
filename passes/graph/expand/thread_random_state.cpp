// thread_random_state: the program's random state, which is hidden, becomes a value that each instruction which draws
// hands to the next, in the order of the text.
//
//   %s = u64[2] rng-get-and-update-state(), delta=4   =>   %s is the state so far; from there on it is %s + 4
//
// Loops carry the state, conditionals take it with each operand and give it with their result: two u64[], low word
// first. Where a loop's condition or a function of elements draws, or an `rng` is left that expand_rng does not know,
// the program stays as it is, and lowering refuses it.
#include "ir/module/effects.h"
#include "ir/module/random_stream.h"
#include "passes/analysis/values/tuple_leaves.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"

namespace sinter {
namespace {

using Value = GraphBuilder::Value;

struct State {
  Value low = nullptr, high = nullptr;
};

// The computations that take and give the state: those that draw, and the other branches of a conditional one of whose
// branches draws. nullopt where one of them is called by other than a loop, as its body, or a conditional.
std::optional<ComputationSet> drawing_computations(const Module& module) {
  ComputationSet drawing = computations_with(module, draws);
  // Branches come to draw with others, and with them what calls those.
  for (size_t before = 0; before != drawing.size();) {
    before = drawing.size();
    for (const auto& computation : module.computations()) {
      for (const Instruction& instruction : computation->instructions()) {
        if (!calls_any(instruction, drawing)) continue;
        drawing.insert(computation.get());
        if (instruction.opcode == Opcode::kConditional) {
          const std::vector<Computation*> branches = instruction.called_computations();
          drawing.insert(branches.begin(), branches.end());
        } else if (instruction.opcode != Opcode::kWhile || drawing.contains(*instruction.attributes->condition)) {
          return std::nullopt;
        }
      }
    }
  }
  return drawing;
}

// The shape of a value together with the state.
Shape with_state(const Shape& shape) {
  Shape flat = Shape::tuple(leaf_shapes(shape));
  flat.elements.insert(flat.elements.end(), 2, Shape::scalar(DType::kU64));
  return flat;
}

Value join(Computation& computation, Instruction* position, Value value, const State& state) {
  std::vector<Value> leaves = leaves_of(computation, position, value);
  leaves.insert(leaves.end(), {state.low, state.high});
  return computation.insert_before(position, Opcode::kTuple, with_state(value->shape), leaves);
}

// Widens `value`, which is a parameter, a loop or a conditional, by the state.
State widen(Instruction& value) {
  const std::vector<Value> elements = flatten_value(value, with_state(value.shape));
  return {elements[elements.size() - 2], elements.back()};
}

State draw(Instruction& instruction, const State& state) {
  GraphBuilder at(instruction);
  const Value low = at.add({state.low, at.integer(DType::kU64, instruction.attributes->delta.value_or(0))});
  const Value carry = at.convert(at.compare({low, state.low}, "LT"), DType::kU64);
  const State next = {low, at.add({state.high, carry})};
  const Value both = at.concatenate({at.reshape(state.low, {1}), at.reshape(state.high, {1})}, 0);
  become(instruction, Opcode::kCopy, {both});
  return next;
}

State pass_through(Instruction& caller, const State& state) {
  Computation& computation = *caller.parent();
  std::vector<Value> operands = caller.operands();
  const size_t first = caller.opcode == Opcode::kConditional ? 1 : 0;
  for (size_t i = first; i < operands.size(); ++i) operands[i] = join(computation, &caller, operands[i], state);
  caller.set_operands(operands);
  if (caller.opcode == Opcode::kWhile) widen(*(*caller.attributes->condition)->parameters()[0]);
  return widen(caller);
}

void thread_state(Computation& computation, const ComputationSet& drawing) {
  const bool is_entry = computation.parent()->entry() == &computation;
  std::vector<Instruction*> instructions;
  for (Instruction& instruction : computation.instructions()) instructions.push_back(&instruction);
  State state;
  if (is_entry) {
    GraphBuilder at(*instructions.front());
    state = {at.integer(DType::kU64, static_cast<int64_t>(kFirstRandomState[0])),
             at.integer(DType::kU64, static_cast<int64_t>(kFirstRandomState[1]))};
  } else {
    // Everything else is to stand behind the elements of the parameter.
    Instruction* parameter = computation.parameters()[0];
    computation.move_before(parameter, instructions.front());
    state = widen(*parameter);
  }
  for (Instruction* instruction : instructions) {
    if (instruction->opcode == Opcode::kRngGetAndUpdateState) {
      state = draw(*instruction, state);
    } else if (calls_any(*instruction, drawing)) {
      state = pass_through(*instruction, state);
    }
  }
  if (!is_entry) computation.set_root(join(computation, nullptr, computation.root(), state));
}

}  // namespace

bool thread_random_state(Module& module, const GraphPassOptions&) {
  if (instructions_of(module, Opcode::kRngGetAndUpdateState).empty()) return false;
  if (!instructions_of(module, Opcode::kRng).empty()) return false;  // draws from the same state
  const std::optional<ComputationSet> drawing = drawing_computations(module);
  if (!drawing) return false;
  for (const auto& computation : module.computations()) {
    if (drawing->contains(computation.get())) thread_state(*computation, *drawing);
  }
  return true;
}

}  // namespace sinter
