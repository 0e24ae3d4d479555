// simplify_conditional: a conditional whose selector is known, or that has one branch only, becomes its branch.
//
//   %p = pred[] constant(true)
//   %c = f32[] conditional(%p, %x, %y), true_computation=%double, false_computation=%negate
//                                                                      =>   %add = f32[] add(%x, %x)
//
// An index out of range selects the last branch, as HLO says.
#include <optional>

#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"

namespace sinter {
namespace {

struct Branch {
  Computation* computation = nullptr;
  Instruction* argument = nullptr;
};

std::optional<Branch> known_branch(const Instruction& conditional) {
  const std::vector<Computation*> branches = conditional.branches();
  if (branches.size() == 1) return Branch{branches.front(), conditional.operand(1)};
  const std::optional<int64_t> selector = splat_integer(*conditional.operand(0));
  if (!selector) return {};
  const auto count = static_cast<int64_t>(branches.size());
  // A pred selector may come with a list of two: then true is the first.
  int64_t index = conditional.operand(0)->shape.dtype == DType::kPred ? 1 - *selector : *selector;
  if (index < 0 || index >= count) index = count - 1;
  return Branch{branches[static_cast<size_t>(index)], conditional.operand(static_cast<size_t>(index) + 1)};
}

}  // namespace

bool simplify_conditional(Module& module, const GraphPassOptions&) {
  bool changed = false;
  for (const auto& computation : module.computations()) {
    std::vector<Instruction*> replaced;
    for (Instruction& instruction : computation->instructions()) {
      if (instruction.opcode != Opcode::kConditional) continue;
      const bool used = !instruction.users().empty() || computation->root() == &instruction;
      const std::optional<Branch> branch = used ? known_branch(instruction) : std::nullopt;
      if (!branch) continue;
      // The branch has no other caller (inline_calls), so its names are free to take.
      instruction.replace_all_uses_with(inline_before(instruction, *branch->computation, {branch->argument}, true));
      replaced.push_back(&instruction);
    }
    remove_instructions(*computation, replaced);
    changed |= !replaced.empty();
  }
  if (changed) remove_dead_code(module);
  return changed;
}

}  // namespace sinter
