#include "passes/analysis/loops/while_carries.h"

#include <algorithm>
#include <unordered_set>

#include "ir/module/effects.h"
#include "ir/support/diagnostics.h"

namespace sinter {
bool is_only_taken_apart(const Instruction& tuple) {
  if (tuple.parent()->root() == &tuple) return false;
  return std::all_of(tuple.users().begin(), tuple.users().end(),
                     [](const Instruction* user) { return user->opcode == Opcode::kGetTupleElement; });
}

const Instruction* first_read_of(const Instruction& tuple, int64_t i) {
  const auto reads = [&](const Instruction* user) {
    return user->opcode == Opcode::kGetTupleElement && user->attributes->tuple_index == i;
  };
  const auto found = std::ranges::find_if(tuple.users(), reads);
  return found == tuple.users().end() ? nullptr : *found;
}

namespace {

std::vector<Instruction*> elements_read(const Instruction& tuple, size_t i) {
  std::vector<Instruction*> result;
  for (Instruction* user : tuple.users()) {
    if (user->attributes->tuple_index.value() == static_cast<int64_t>(i)) result.push_back(user);
  }
  return result;
}

// Marks what `from` depends on; calls `reached` with the carry of every state element among it.
template <class Reached>
void mark(Instruction* from, std::unordered_set<const Instruction*>& marked, Reached reached) {
  std::vector<Instruction*> open{from};
  while (!open.empty()) {
    Instruction* instruction = open.back();
    open.pop_back();
    if (!marked.insert(instruction).second) continue;
    if (const std::optional<size_t> carry = carry_read(*instruction)) reached(*carry);
    open.insert(open.end(), instruction->operands().begin(), instruction->operands().end());
  }
}

}  // namespace

std::optional<size_t> carry_read(const Instruction& instruction) {
  const bool reads =
      instruction.opcode == Opcode::kGetTupleElement && instruction.operand(0)->opcode == Opcode::kParameter;
  return reads ? std::optional(static_cast<size_t>(*instruction.attributes->tuple_index)) : std::nullopt;
}

Instruction* CarriedLoop::state(const Computation& computation) {
  const std::vector<Instruction*> parameters = computation.parameters();
  check(parameters.size() == 1, "while", computation.name + " does not have one parameter");
  return parameters[0];
}

bool CarriedLoop::is_taken_apart() const {
  return loop_.shape.is_tuple() && is_only_taken_apart(loop_) && is_only_taken_apart(*state(body())) &&
         is_only_taken_apart(*state(condition()));
}

Instruction* CarriedLoop::init(size_t i) const {
  return loop_.operand(0)->opcode == Opcode::kTuple ? loop_.operand(0)->operand(i) : nullptr;
}

Instruction* CarriedLoop::next(size_t i) const {
  return body().root()->opcode == Opcode::kTuple ? body().root()->operand(i) : nullptr;
}

std::vector<Instruction*> CarriedLoop::reads(Computation& computation, size_t i) const {
  return elements_read(*state(computation), i);
}

std::vector<Instruction*> CarriedLoop::reads_after(size_t i) const { return elements_read(loop_, i); }

std::vector<bool> CarriedLoop::live() const {
  std::vector<bool> live(count(), false);
  std::vector<size_t> open;
  const auto reached = [&](size_t i) {
    if (live[i]) return;
    live[i] = true;
    open.push_back(i);
  };
  for (const Instruction* read : loop_.users()) {
    const bool used = !read->users().empty() || read->parent()->root() == read;
    if (used) reached(static_cast<size_t>(read->attributes->tuple_index.value()));
  }
  std::unordered_set<const Instruction*> marked;
  mark(condition().root(), marked, reached);
  const ComputationSet effects = computations_with_effects(*body().parent());
  for (Computation* computation : {&body(), &condition()}) {
    for (Instruction& instruction : computation->instructions()) {
      if (has_effect(instruction, effects)) mark(&instruction, marked, reached);
    }
  }
  while (!open.empty()) {
    const size_t i = open.back();
    open.pop_back();
    mark(next(i) != nullptr ? next(i) : body().root(), marked, reached);
  }
  return live;
}

}  // namespace sinter
