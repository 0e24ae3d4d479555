// unroll_rotations: a short loop some of whose carries only change places becomes its steps. JAX writes threefry2x32 so
// for the CPU: five rounds, whose keys and amounts of rotation change places after each.
//
//   while, 5 iterations:  (x, y, a, b)  ->  (f(x, a), g(y, a), b, a)   =>   f(f(f(f(f(x, a), b), a), b), a), ...
//
// Such a loop was written out before somebody rolled it, and its steps are simpler than it is: what it carries are
// constants in each. With the loop gone the computation may do the same to every element (per_element.h). Calls in the
// body are inlined with it.
#include <optional>
#include <set>
#include <vector>

#include "ir/module/device_functions.h"
#include "ir/ops/op_table.h"
#include "passes/analysis/loops/while_analysis.h"
#include "passes/analysis/loops/while_carries.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"

namespace sinter {
namespace {

constexpr int64_t kMostSteps = 8;
constexpr size_t kMostInstructions = 1024;  // of all steps
constexpr int64_t kMostElements = 16;

// The value that an element of a call's result stands for in the computation that calls, if that is one of its
// operands.
const Instruction* through_call(const Instruction& value) {
  if (value.opcode != Opcode::kGetTupleElement || value.operand(0)->opcode != Opcode::kCall) return &value;
  const Instruction& call = *value.operand(0);
  const Instruction* root = (*call.attributes->to_apply)->root();
  if (root->opcode != Opcode::kTuple) return &value;
  const Instruction* result = root->operand(*value.attributes->tuple_index);
  return result->opcode == Opcode::kParameter ? call.operand(result->parameter_number) : &value;
}

// Whether several carries only change places: each becomes what another one was, and none of them anything else. Large
// arrays that do are buffers, not keys.
bool turns(const Computation& body) {
  const Instruction* root = body.root();
  if (root->opcode != Opcode::kTuple) return false;
  std::vector<std::optional<size_t>> from;  // of each carry: that whose value it takes
  for (const Instruction* result : root->operands()) {
    from.push_back(carry_read(*through_call(*result)));
  }
  for (size_t first = 0; first < from.size(); ++first) {
    std::optional<size_t> carry = from[first];
    for (size_t moves = 1; carry && moves < from.size() && carry != first; ++moves) carry = from[*carry];
    const Shape& shape = root->operand(first)->shape;
    const bool small = shape.is_array() && shape.element_count() <= kMostElements;
    if (small && carry == first && from[first] != first) return true;
  }
  return false;
}

bool is_plain(const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::kParameter:
    case Opcode::kConstant:
    case Opcode::kTuple:
    case Opcode::kGetTupleElement:
      return true;
    default: {
      const Family family = family_of(instruction);
      const bool plain = family == Family::kElementwise || family == Family::kIndexMap;
      return plain && instruction.control_predecessors.empty();
    }
  }
}

// Instructions of a computation and those it calls, if all is plain arithmetic; nullopt if not.
std::optional<size_t> count_plain(const Computation& computation) {
  size_t count = 0;
  for (const Instruction& instruction : computation.instructions()) {
    if (instruction.opcode == Opcode::kCall) {
      const std::optional<size_t> called = count_plain(**instruction.attributes->to_apply);
      if (!called) return std::nullopt;
      count += *called;
    } else if (!is_plain(instruction)) {
      return std::nullopt;
    }
    if (++count > kMostInstructions) return std::nullopt;
  }
  return count;
}

bool is_rolled(const Instruction& loop) {
  const Computation& body = **loop.attributes->body;
  if (!loop.shape.is_tuple() || !loop.control_predecessors.empty() || !turns(body)) return false;
  const std::optional<int64_t> steps = analyze_while(loop).trip_count;
  if (!steps || *steps > kMostSteps) return false;
  const std::optional<size_t> count = count_plain(body);
  return count && *count * static_cast<size_t>(*steps) <= kMostInstructions;
}

// What a call gives, computed before `position`; calls inside of it too.
Instruction* inline_all(Instruction& position, Computation& callee, const std::vector<Instruction*>& arguments) {
  Computation& computation = *position.parent();
  std::set<const Instruction*> before;
  for (const Instruction& instruction : computation.instructions()) before.insert(&instruction);
  Instruction* result = inline_before(position, callee, arguments, /*take_names=*/false);
  std::vector<Instruction*> calls;
  for (Instruction& instruction : computation.instructions()) {
    if (instruction.opcode == Opcode::kCall && before.count(&instruction) == 0) calls.push_back(&instruction);
  }
  for (Instruction* call : calls) {
    Instruction* value = inline_all(*call, **call->attributes->to_apply, call->operands());
    call->replace_all_uses_with(value);
    if (result == call) result = value;
    remove_instructions(computation, {call});
  }
  return result;
}

}  // namespace

bool unroll_rotations(Module& module, const GraphPassOptions& options) {
  bool changed = false;
  for (Instruction* loop : instructions_of(module, Opcode::kWhile)) {
    if (!is_rolled(*loop)) continue;
    const int64_t steps = *analyze_while(*loop).trip_count;
    Instruction* state = loop->operand(0);
    for (int64_t step = 0; step < steps; ++step) state = inline_all(*loop, **loop->attributes->body, {state});
    loop->replace_all_uses_with(state);
    remove_instructions(*loop->parent(), {loop});
    changed = true;
  }
  if (!changed) return false;
  simplify_tuples(module, options);
  fold_constants(module, options);
  remove_dead_code(module);
  return true;
}

}  // namespace sinter
