// Constants are moved to the computations that call theirs, level by level, until they stand in the entry.
#include "passes/graph/expand/lift_constants.h"

#include <algorithm>
#include <map>

#include "passes/analysis/values/tuple_leaves.h"
#include "passes/graph/base/change_carries.h"
#include "passes/graph/base/rewrite.h"

namespace sinter {
namespace {

// The marked constants that each computation reads. Callers are visited after what they call, so that what a body needs
// is what its loop's computation needs too.
class Lifting {
 public:
  Lifting(Module& module, const std::string& attribute)
      : module_(module), entry_(*module.entry()), attribute_(attribute) {}

  bool run() {
    for (const auto& computation : module_.computations()) callers_of(*computation);
    bool changed = false;
    // The entry last: its constants become parameters where they stand.
    for (const auto& computation : module_.computations()) {
      if (computation.get() != &entry_) changed |= lift_from(*computation);
    }
    return make_parameters() || changed;
  }

 private:
  void callers_of(Computation& computation) {
    for (Instruction& instruction : computation.instructions()) {
      for (Computation* called : instruction.called_computations()) callers_[called].push_back(&instruction);
    }
  }

  // Empty if it has none.
  std::string mark_of(const Instruction& constant) const {
    const auto& attributes = constant.annotations->frontend_attributes;
    const auto found = attributes.find(attribute_);
    return found == attributes.end() ? "" : found->second;
  }

  std::vector<Instruction*> marked_in(Computation& computation) const {
    std::vector<Instruction*> marked;
    for (Instruction& instruction : computation.instructions()) {
      if (instruction.opcode == Opcode::kConstant && !mark_of(instruction).empty()) marked.push_back(&instruction);
    }
    return marked;
  }

  // Moves the constants of a computation to those that its callers stand in.
  bool lift_from(Computation& computation) {
    const std::vector<Instruction*> constants = marked_in(computation);
    const auto callers = callers_.find(&computation);
    if (constants.empty() || callers == callers_.end()) return false;
    const auto copies_before = [&](Instruction& caller) {
      std::vector<Instruction*> copies;
      for (const Instruction* constant : constants) copies.push_back(caller.parent()->add_copy(*constant, {}, &caller));
      return copies;
    };
    std::vector<Instruction*> inside;
    Instruction& first = *callers->second[0];
    if (std::all_of(callers->second.begin(), callers->second.end(), is_call)) {
      inside = add_parameters(computation, constants);
      for (Instruction* call : callers->second) {
        std::vector<Instruction*> operands = call->operands();
        for (Instruction* copy : copies_before(*call)) operands.push_back(copy);
        call->set_operands(operands);
      }
    } else if (callers->second.size() == 1 && can_carry(first)) {
      inside = add_invariants(CarriedLoop(first), copies_before(first));
      if (*first.attributes->condition == &computation) inside = reads_in_condition(CarriedLoop(first), inside);
    } else if (callers->second.size() == 1 && first.opcode == Opcode::kConditional) {
      inside = give_to_branch(first, computation, copies_before(first));
    } else {
      return false;
    }
    for (size_t i = 0; i < constants.size(); ++i) constants[i]->replace_all_uses_with(inside[i]);
    remove_instructions(computation, constants);
    return true;
  }

  static bool is_call(const Instruction* caller) {
    return caller->opcode == Opcode::kCall || caller->opcode == Opcode::kFusion;
  }

  static bool can_carry(Instruction& caller) {
    return caller.opcode == Opcode::kWhile && can_add_carries(CarriedLoop(caller));
  }

  // What the condition reads of carries that the body reads so.
  static std::vector<Instruction*> reads_in_condition(const CarriedLoop& loop,
                                                      const std::vector<Instruction*>& in_body) {
    Computation& condition = loop.condition();
    Instruction* state = CarriedLoop::state(condition);
    condition.move_before(state, &condition.instructions().front());
    std::vector<Instruction*> reads;
    for (const Instruction* read : in_body) {
      reads.push_back(condition.add_copy(*read, {state}, &*std::next(condition.instructions().begin())));
    }
    return reads;
  }

  std::vector<Instruction*> add_parameters(Computation& computation, const std::vector<Instruction*>& constants) const {
    std::vector<Instruction*> parameters;
    for (const Instruction* constant : constants) {
      const auto number = std::ssize(computation.parameters());
      const std::string name = &computation == &entry_ ? mark_of(*constant) : "";
      Instruction* parameter =
          computation.insert_before(&computation.instructions().front(), Opcode::kParameter, constant->shape, {}, name);
      parameter->parameter_number = number;
      parameter->loc = constant->loc;
      parameters.push_back(parameter);
    }
    return parameters;
  }

  // Widens the operand and the parameter of a branch; how the branch reads the values.
  static std::vector<Instruction*> give_to_branch(Instruction& conditional, Computation& branch,
                                                  const std::vector<Instruction*>& values) {
    const std::vector<Computation*> branches = conditional.called_computations();
    size_t operand = 1;
    while (branches[operand - 1] != &branch) ++operand;
    Computation& around = *conditional.parent();
    std::vector<Instruction*> elements = leaves_of(around, &conditional, conditional.operand(operand));
    elements.insert(elements.end(), values.begin(), values.end());
    Shape flat = Shape::tuple({});
    for (const Instruction* element : elements) flat.elements.push_back(element->shape);
    conditional.set_operand(operand, around.insert_before(&conditional, Opcode::kTuple, flat, elements));
    Instruction* parameter = branch.parameters()[0];
    branch.move_before(parameter, &branch.instructions().front());
    const std::vector<Instruction*> reads = flatten_value(*parameter, flat);
    return {reads.end() - std::ssize(values), reads.end()};
  }

  bool make_parameters() {
    const std::vector<Instruction*> constants = marked_in(entry_);
    std::map<std::string, Instruction*> parameters;
    for (Instruction* constant : constants) {
      Instruction*& parameter = parameters[mark_of(*constant)];
      if (parameter == nullptr) {
        parameter = add_parameters(entry_, {constant})[0];
        parameter->annotations = constant->annotations;
        if (!module_.entry_parameter_layouts.empty()) module_.entry_parameter_layouts.push_back(constant->shape);
      }
      constant->replace_all_uses_with(parameter);
    }
    remove_instructions(entry_, constants);
    return !constants.empty();
  }

  Module& module_;
  Computation& entry_;
  std::string attribute_;
  std::map<Computation*, std::vector<Instruction*>> callers_;
};

}  // namespace

bool lift_constants(Module& module, const std::string& attribute) { return Lifting(module, attribute).run(); }

}  // namespace sinter
