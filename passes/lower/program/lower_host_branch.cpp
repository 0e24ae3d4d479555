// A conditional that the host decides: it reads the selector back and runs the steps of one arm, each arm a level of
// its own. What a kernel of an arm makes is written where the result is; what an arm hands on is copied there.
#include "passes/lower/program/lowering.h"

namespace sinter {

namespace {

bool is_given(const Instruction& instruction) {
  if (!instruction.shape.is_array()) return false;
  return instruction.opcode == Opcode::kParameter ||
         (instruction.opcode == Opcode::kGetTupleElement && instruction.operand(0)->opcode == Opcode::kParameter);
}

}  // namespace

const Instruction* Lowering::find_branch(const LevelContext& context, const TreeNode& node) {
  const auto found = by_name_.find(node.name);
  const Instruction* conditional = found == by_name_.end() ? nullptr : found->second;
  if (conditional != nullptr && conditional->opcode == Opcode::kConditional &&
      conditional->parent() == context.computation && conditional_arms(*conditional).size() == node.bodies.size()) {
    return conditional;
  }
  plan_error(node.loc, "E0405", "no conditional of so many arms is called '" + node.name + "'",
             "names are those `sinter opt` prints");
  return nullptr;
}

// The value that stands for each result; nullptr for those that nobody reads.
std::vector<const Instruction*> Lowering::place_branch_results(const Instruction& conditional) {
  if (!conditional.shape.is_tuple()) return {&conditional};
  std::vector<const Instruction*> results(conditional.shape.elements.size());
  for (const Instruction* user : conditional.users()) {
    if (user->opcode != Opcode::kGetTupleElement) continue;
    const Instruction*& result = results[static_cast<size_t>(*user->attributes->tuple_index)];
    // One that has a place already: a result of the program, or what a loop carries.
    if (result == nullptr || location_.count(result) == 0) result = user;
  }
  for (const Instruction* user : conditional.users()) {
    if (user->opcode != Opcode::kGetTupleElement || location_.count(user) > 0) continue;
    const size_t place = buffer_of(results[static_cast<size_t>(*user->attributes->tuple_index)]);
    location_[user] = place;
  }
  return results;
}

bool Lowering::place_arguments(const LevelContext& context, const Instruction& conditional, size_t arm) {
  for (const Instruction& instruction : conditional_arms(conditional)[arm]->instructions()) {
    if (!is_given(instruction)) continue;
    const Instruction* argument = arm_argument(conditional, arm, instruction);
    if (argument == nullptr) {
      diagnostics_.error(conditional.loc, "E0303",
                         "conditional: the argument of '" + conditional.name + "' must be a tuple instruction", "");
      return false;
    }
    if (context.counters.count(argument) > 0) continue;
    location_[&instruction] = buffer_of(argument);
    names_[&instruction] = names_.count(argument) > 0 ? names_.at(argument) : result_name(argument);
  }
  return true;
}

bool Lowering::host_branch(const LevelContext& context, const TreeNode& node, std::vector<HostStep>* steps) {
  const Instruction* conditional = find_branch(context, node);
  if (conditional == nullptr) return false;
  const std::vector<const Instruction*> results = place_branch_results(*conditional);
  program_.plan.synchronises = true;
  HostStep step;
  step.kind = HostStep::Kind::kBranch;
  step.comment = conditional->name;
  step.buffers.push_back(buffer_of(array_value(conditional->operand(0))));
  for (size_t arm = 0; arm < node.bodies.size(); ++arm) {
    if (!place_arguments(context, *conditional, arm)) return false;
    const LevelContext inside = arm_context(context, *conditional, arm);
    const Instruction* root = inside.computation->root();
    std::vector<const Instruction*> given;
    for (size_t k = 0; k < results.size(); ++k) {
      given.push_back(array_value(conditional->shape.is_tuple() ? root->operand(k) : root));
      const bool handed_on = is_given(*given[k]) || given[k]->opcode == Opcode::kConstant;
      if (results[k] != nullptr && !handed_on) location_.emplace(given[k], buffer_of(results[k]));
    }
    std::vector<HostStep> body;
    if (!level(inside, node.bodies[arm], &body)) return false;
    for (size_t k = 0; k < results.size(); ++k) {
      if (results[k] == nullptr) continue;
      const size_t from = buffer_of(given[k]), to = buffer_of(results[k]);
      if (from != to) copy(from, to, result_name(results[k]), "host-branch", &body);
    }
    step.arms.push_back(std::move(body));
  }
  steps->push_back(std::move(step));
  return true;
}

}  // namespace sinter
