// separate_weights: constants that are weights become parameters of the entry, behind its own, one for each name. Calls
// hand them on, loops carry them into their bodies unchanged, conditionals give them to their branches.
//
//   %w = f32[64,32] constant(...), frontend_attributes={sinter_weight="layer_0.w"}   =>
//   %layer_0.w = f32[64,32] parameter(1), frontend_attributes={sinter_weight="layer_0.w"}
//
// A weight in a computation that is called otherwise, or by a loop whose state is used as a whole, stays a constant.
#include <algorithm>
#include <map>

#include "ir/module/weights.h"
#include "passes/analysis/values/tuple_leaves.h"
#include "passes/graph/base/change_carries.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"

namespace sinter {
namespace {

// The weights that each computation reads, by name. Callers are visited after what they call, so that what a body needs
// is what its loop's computation needs too.
class Separation {
 public:
  explicit Separation(Module& module) : module_(module), entry_(*module.entry()) {}

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

  static std::vector<Instruction*> weights_in(Computation& computation) {
    std::vector<Instruction*> weights;
    for (Instruction& instruction : computation.instructions()) {
      if (instruction.opcode == Opcode::kConstant && !weight_name(instruction).empty()) weights.push_back(&instruction);
    }
    return weights;
  }

  // Moves the weights of a computation to those that its callers stand in.
  bool lift_from(Computation& computation) {
    const std::vector<Instruction*> weights = weights_in(computation);
    const auto callers = callers_.find(&computation);
    if (weights.empty() || callers == callers_.end()) return false;
    const auto copies_before = [&](Instruction& caller) {
      std::vector<Instruction*> copies;
      for (const Instruction* weight : weights) copies.push_back(caller.parent()->add_copy(*weight, {}, &caller));
      return copies;
    };
    std::vector<Instruction*> inside;
    Instruction& first = *callers->second[0];
    if (std::all_of(callers->second.begin(), callers->second.end(), is_call)) {
      inside = add_parameters(computation, weights);
      for (Instruction* call : callers->second) {
        std::vector<Instruction*> operands = call->operands();
        for (Instruction* copy : copies_before(*call)) operands.push_back(copy);
        call->set_operands(operands);
      }
    } else if (callers->second.size() == 1 && is_loop_with_body(first, computation)) {
      inside = add_invariants(CarriedLoop(first), copies_before(first));
    } else if (callers->second.size() == 1 && first.opcode == Opcode::kConditional) {
      inside = give_to_branch(first, computation, copies_before(first));
    } else {
      return false;
    }
    for (size_t i = 0; i < weights.size(); ++i) weights[i]->replace_all_uses_with(inside[i]);
    remove_instructions(computation, weights);
    return true;
  }

  static bool is_call(const Instruction* caller) {
    return caller->opcode == Opcode::kCall || caller->opcode == Opcode::kFusion;
  }

  static bool is_loop_with_body(Instruction& caller, const Computation& computation) {
    return caller.opcode == Opcode::kWhile && *caller.attributes->body == &computation &&
           can_add_carries(CarriedLoop(caller));
  }

  std::vector<Instruction*> add_parameters(Computation& computation, const std::vector<Instruction*>& weights) const {
    std::vector<Instruction*> parameters;
    for (const Instruction* weight : weights) {
      const auto number = std::ssize(computation.parameters());
      const std::string name = &computation == &entry_ ? weight_name(*weight) : "";
      Instruction* parameter =
          computation.insert_before(&computation.instructions().front(), Opcode::kParameter, weight->shape, {}, name);
      parameter->parameter_number = number;
      parameter->loc = weight->loc;
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
    const std::vector<Instruction*> weights = weights_in(entry_);
    std::map<std::string, Instruction*> parameters;
    for (Instruction* weight : weights) {
      Instruction*& parameter = parameters[weight_name(*weight)];
      if (parameter == nullptr) {
        parameter = add_parameters(entry_, {weight})[0];
        parameter->annotations = weight->annotations;
        if (!module_.entry_parameter_layouts.empty()) module_.entry_parameter_layouts.push_back(weight->shape);
      }
      weight->replace_all_uses_with(parameter);
    }
    remove_instructions(entry_, weights);
    return !weights.empty();
  }

  Module& module_;
  Computation& entry_;
  std::map<Computation*, std::vector<Instruction*>> callers_;
};

}  // namespace

bool separate_weights(Module& module, const GraphPassOptions&) { return Separation(module).run(); }

}  // namespace sinter
