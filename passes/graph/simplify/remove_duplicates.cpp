// remove_duplicates: one instruction for each value (common subexpressions, constants too), one computation for each
// function that reductions, sorts and scatters apply.
//
//   %c = f32[] constant(2)                      %c = f32[] constant(2)
//   %d = f32[] constant(2)                      %m = f32[] multiply(%x, %c)
//   %m = f32[] multiply(%x, %c)            =>   ROOT %s = f32[] add(%m, %m)
//   %n = f32[] multiply(%d, %x)
//   ROOT %s = f32[] add(%m, %n)
//
// The first stays, with its name and origin. Random numbers with hidden state, optimisation barriers and loops are
// never merged. Loop bodies and branches stay apart: other passes change each for its caller.
#include <unordered_map>
#include <vector>

#include "passes/analysis/functions/known_functions.h"
#include "passes/analysis/functions/value_table.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"

namespace sinter {
namespace {

// A computation as a list of operations whose operands are positions in the list.
struct Outline {
  const Computation* computation = nullptr;
  std::vector<const Instruction*> instructions;
  std::vector<size_t> operands;  // of all instructions, one after the other
  size_t root = 0;
  size_t hash = 0;
};

Outline outline(const Computation& computation) {
  Outline result;
  result.computation = &computation;
  std::unordered_map<const Instruction*, size_t> positions;
  for (const Instruction& instruction : computation.instructions()) {
    positions[&instruction] = result.instructions.size();
    result.instructions.push_back(&instruction);
    result.hash = result.hash * 31 + hash_operation(instruction);
    for (const Instruction* operand : instruction.operands()) result.operands.push_back(positions.at(operand));
  }
  result.root = positions.at(computation.root());
  return result;
}

bool same_function(const Outline& a, const Outline& b) {
  if (a.instructions.size() != b.instructions.size() || a.operands != b.operands || a.root != b.root) return false;
  for (size_t i = 0; i < a.instructions.size(); ++i) {
    const bool may_be_merged = a.instructions[i]->opcode == Opcode::kParameter || may_be_shared(*a.instructions[i]);
    if (!may_be_merged || !same_operation(*a.instructions[i], *b.instructions[i])) return false;
    if (a.instructions[i]->operands().size() != b.instructions[i]->operands().size()) return false;
  }
  return true;
}

bool applies_function(const Instruction& instruction) {
  const bool is_named = instruction.opcode == Opcode::kCall && !is_user_function(**instruction.attributes->to_apply);
  return !is_named &&
         (instruction.attributes->to_apply || instruction.attributes->select || instruction.attributes->scatter);
}

// Callees come first, so that what equal functions call is one by the time they are compared.
bool merge_functions(Module& module) {
  bool changed = false;
  std::unordered_map<const Computation*, Computation*> first_equal;
  std::unordered_multimap<size_t, std::pair<Outline, Computation*>> by_hash;
  std::vector<Computation*> computations;
  for (const auto& computation : module.computations()) computations.push_back(computation.get());
  for (Computation* computation : computations) {
    for (Instruction& instruction : computation->instructions()) {
      if (!applies_function(instruction)) continue;
      for (Computation* callee : instruction.called_computations()) {
        auto known = first_equal.find(callee);
        if (known == first_equal.end()) {
          Outline described = outline(*callee);
          Computation* representative = callee;
          const auto [first, last] = by_hash.equal_range(described.hash);
          for (auto it = first; it != last; ++it) {
            if (same_function(it->second.first, described)) representative = it->second.second;
          }
          if (representative == callee) {
            const size_t hash = described.hash;
            by_hash.emplace(hash, std::pair(std::move(described), callee));
          }
          known = first_equal.emplace(callee, representative).first;
        }
        if (known->second == callee) continue;
        instruction.replace_called(callee, known->second);
        changed = true;
      }
    }
  }
  return changed;
}

bool merge_values(Computation& computation) {
  bool changed = false;
  ValueTable values;
  for (Instruction& instruction : computation.instructions()) {
    Instruction* first = values.add(&instruction);
    if (first == &instruction) continue;
    const bool used = !instruction.users().empty() || computation.root() == &instruction;
    if (!used) continue;
    instruction.replace_all_uses_with(first);
    changed = true;
  }
  return changed;
}

}  // namespace

bool remove_duplicates(Module& module, const GraphPassOptions&) {
  bool changed = merge_functions(module);
  for (const auto& computation : module.computations()) changed |= merge_values(*computation);
  if (!changed) return false;
  remove_dead_code(module);
  // A function may now be called before the place its caller's own copy had.
  module.sort_computations();
  return true;
}

}  // namespace sinter
