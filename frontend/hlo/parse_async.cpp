// Asynchronous sugar. For an opcode without asynchronous forms of its own XLA prints
//
//   s = ((f32[8]), f32[4], u32[]) slice-start(x), slice={[0:4]}
//   d = f32[4] slice-done(s)
//
// which means an async-start that calls a computation of one instruction, the slice, and an async-done. The printer
// writes that long form.

#include "frontend/hlo/parser.h"

namespace sinter {

bool Parser::parse_async_opcode(std::string_view name, InstructionHead& head) {
  struct Form {
    std::string_view suffix;
    Opcode opcode;
  };
  constexpr Form kForms[] = {
      {"-start", Opcode::kAsyncStart}, {"-update", Opcode::kAsyncUpdate}, {"-done", Opcode::kAsyncDone}};
  for (const Form& form : kForms) {
    if (name.size() <= form.suffix.size()) continue;
    if (name.substr(name.size() - form.suffix.size()) != form.suffix) continue;
    const std::optional<Opcode> wrapped = opcode_from_name(name.substr(0, name.size() - form.suffix.size()));
    if (!wrapped || *wrapped == Opcode::kParameter || *wrapped == Opcode::kConstant) return false;
    head.opcode = form.opcode;
    head.wrapped = wrapped;
    return true;
  }
  return false;
}

// The root of a new computation that applies the wrapped opcode to parameters like the operands.
Instruction* Parser::wrapped_root(const InstructionHead& head) {
  if (!head.shape || !head.shape->is_tuple() || head.shape->elements.size() < 2) {
    fail(head.opcode_loc, "E0129",
         std::string(opcode_name(*head.wrapped)) + "-start must state a shape ((operand shapes), result shape, ...)");
    return nullptr;
  }
  Computation* computation = module_->add_computation(head.name + ".wrapped");
  computation->loc = head.loc;
  added_callees_late_ = true;
  std::vector<Instruction*> parameters;
  for (const Instruction* operand : head.operands) {
    const auto number = static_cast<int64_t>(parameters.size());
    Instruction* parameter =
        computation->add(Opcode::kParameter, operand->shape, {}, head.name + ".parameter" + std::to_string(number));
    parameter->parameter_number = number;
    parameter->loc = head.loc;
    parameters.push_back(parameter);
  }
  Instruction* root = computation->add(*head.wrapped, head.shape->elements[1], parameters, head.name + ".wrapped");
  root->loc = head.loc;
  computation->set_root(root);
  return root;
}

}  // namespace sinter
