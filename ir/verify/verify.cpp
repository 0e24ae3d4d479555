// The verifier. Invariants of a module, in the order they are checked:
//
//  structure (verify_structure.cpp)
//   1. The module has an entry, which is one of its computations.
//   2. Names are not empty; no two computations, and no two instructions of the module, have the same name.
//   3. A computation has a root, which is one of its instructions.
//   4. Operands and control predecessors are instructions of the same computation, and stand before the user.
//   5. Called computations are computations of the module and stand before the caller; so there is no recursion.
//   6. The parameters of a computation are numbered 0, 1, 2, ... without gaps.
//   7. Dimensions are not negative, no value takes more than kMaxBytes, and a layout lists every dimension once.
//
//  instructions (this file; only if the structure is right)
//   8. An instruction has its row's number of operands, every required attribute, and no attribute that its row
//      does not list.
//   9. The stated shape is the one that the row's shape rule infers, layouts and bounds of dynamic dimensions aside.
//  10. The row's other constraints hold: attribute ranges, signatures of called computations, and so on.
//      9 and 10 are not checked where a dimension is unbounded (`?`), which no later stage accepts.
//
//  the module's interface (verify_interface.cpp; only if all instructions are right)
//  11. entry_computation_layout, where given, has the types of the entry's parameters and root.
//  12. Entries of input_output_alias and buffer_donor name parameters and results that exist; aliased ones are of the
//      same size, and no two entries name the same result or parameter.
#include "ir/verify/verify.h"

#include <algorithm>

#include "ir/infer/infer_common.h"
#include "ir/text/attribute_names.h"
#include "ir/verify/verify_parts.h"

namespace sinter {
namespace {

std::string_view family_code(Family family) {
  switch (family) {
    case Family::kElementwise:
      return "E0230";
    case Family::kStructured:
      return "E0231";
    case Family::kIndexMap:
      return "E0232";
    case Family::kControl:
      return "E0233";
    case Family::kRandom:
      return "E0234";
    case Family::kDevice:
      return "E0235";
  }
  return "";
}

class InstructionVerifier {
 public:
  InstructionVerifier(const Instruction& instruction, Diagnostics& diagnostics)
      : instruction_(instruction), def_(op_def(instruction.opcode)), diagnostics_(diagnostics) {}

  void run() {
    const bool arity = check_arity();
    const bool attributes = check_attributes();
    if (!arity || !attributes || has_unbounded()) return;
    if (check_shape() && def_.verify != nullptr) {
      if (ShapeError error = def_.verify(instruction_); failed(error)) report(error);
    }
  }

 private:
  void report(std::string_view code, const std::string& message, std::string hint = "") {
    diagnostics_.error(instruction_.loc, code, std::string(opcode_name(instruction_.opcode)) + ": " + message,
                       std::move(hint));
  }

  void report(ShapeError& error) {
    report(family_code(opcode_family(instruction_.opcode)), error.message, std::move(error.hint));
  }

  bool check_arity() {
    const int64_t count = static_cast<int64_t>(instruction_.operands().size());
    if (def_.arity < 0 || count == def_.arity) return true;
    report("E0201", "has " + std::to_string(count) + (count == 1 ? " operand" : " operands") + ", takes " +
                        std::to_string(def_.arity));
    return false;
  }

  bool check_attributes() {
    bool ok = true;
    for (const AttributeSpec& spec : def_.attributes) {
      if (!spec.required || has_attribute(instruction_.attributes, spec.id)) continue;
      report("E0202", "the attribute " + std::string(attribute_name(spec.id)) + " is missing");
      ok = false;
    }
    if (!instruction_.attributes.has_value()) return ok;
    const auto check_listed = [&](AttributeId id) {
      const auto is_this = [&](const AttributeSpec& spec) { return spec.id == id; };
      if (std::any_of(def_.attributes.begin(), def_.attributes.end(), is_this)) return;
      report("E0203", "has no attribute " + std::string(attribute_name(id)));
      ok = false;
    };
    const Attributes& given = *instruction_.attributes;
#define ATTRIBUTE(hlo_name, member, kind) \
  if (given.member.has_value()) check_listed(AttributeId::k_##member);
#include "ir/module/attributes.def"
#undef ATTRIBUTE
    return ok;
  }

  bool has_unbounded() const {
    const auto unbounded = [](const Instruction* operand) { return has_unbounded_dimension(operand->shape); };
    return has_unbounded_dimension(instruction_.shape) ||
           std::any_of(instruction_.operands().begin(), instruction_.operands().end(), unbounded);
  }

  bool check_shape() {
    if (def_.infer == nullptr) return true;
    ShapeResult result = def_.infer(instruction_);
    if (ShapeError* error = std::get_if<ShapeError>(&result)) {
      report(*error);
      return false;
    }
    Shape inferred = std::get<Shape>(std::move(result));
    if (def_.states_type && instruction_.shape.is_array()) inferred.dtype = instruction_.shape.dtype;
    if (same_bounds(instruction_.shape, inferred)) return true;
    report("E0204", "the result is stated as " + text(instruction_.shape) + ", but is " + text(inferred));
    return false;
  }

  const Instruction& instruction_;
  const OpDef& def_;
  Diagnostics& diagnostics_;
};

}  // namespace

bool has_unbounded_dimension(const Shape& shape) {
  return contains(shape.dims, Shape::kUnbounded) ||
         std::any_of(shape.elements.begin(), shape.elements.end(), has_unbounded_dimension);
}

bool same_bounds(const Shape& a, const Shape& b) {
  if (a.kind != b.kind) return false;
  if (a.is_array()) return a.dtype == b.dtype && a.dims == b.dims;
  return std::equal(a.elements.begin(), a.elements.end(), b.elements.begin(), b.elements.end(), same_bounds);
}

bool verify(const Module& module, Diagnostics& diagnostics) {
  const int errors_before = diagnostics.error_count();
  const auto ok = [&] { return diagnostics.error_count() == errors_before; };
  verify_structure(module, diagnostics);
  if (!ok()) return false;
  for (const auto& computation : module.computations()) {
    for (const Instruction& instruction : computation->instructions()) {
      InstructionVerifier(instruction, diagnostics).run();
    }
  }
  if (ok()) verify_interface(module, diagnostics);
  return ok();
}

}  // namespace sinter
