// Invariants 1 to 7 of the verifier: the graph itself, names, and shapes by themselves.
//
// Nothing here follows a pointer before knowing that it points into the module: operands and called computations
// are looked up among those seen so far.
#include <algorithm>
#include <string_view>

#include "ir/infer/infer_common.h"
#include "ir/verify/verify_parts.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringRef.h"

namespace sinter {
namespace {

// What is wrong with a shape by itself, or nothing.
ShapeError shape_error(const Shape& shape) {
  for (const int64_t dim : shape.dims) {
    if (dim < 0 && dim != Shape::kUnbounded) {
      return {"the dimension " + std::to_string(dim) + " of " + text(shape) + " is negative", ""};
    }
  }
  if (shape.is_array() && shape.layout) {
    std::vector<int64_t> order = shape.layout->minor_to_major;
    std::sort(order.begin(), order.end());
    bool permutation = order.size() == shape.dims.size();
    for (size_t i = 0; permutation && i < order.size(); ++i) permutation = order[i] == static_cast<int64_t>(i);
    if (!permutation) return {"the layout of " + to_string(shape) + " does not list every dimension once", ""};
  }
  if (shape.bytes() > kMaxBytes && !has_unbounded_dimension(shape)) {
    return {text(shape) + " takes more than 2^46 bytes", ""};
  }
  for (const Shape& element : shape.elements) {
    if (ShapeError error = shape_error(element); failed(error)) return error;
  }
  return {};
}

class StructureVerifier {
 public:
  StructureVerifier(const Module& module, Diagnostics& diagnostics) : module_(module), diagnostics_(diagnostics) {}

  void run() {
    bool entry_found = false;
    for (const auto& computation : module_.computations()) {
      check_computation(*computation);
      entry_found = entry_found || computation.get() == module_.entry();
      computations_.insert(computation.get());
    }
    if (!entry_found) diagnostics_.error({}, "E0205", "the module has no entry computation");
  }

 private:
  void check_computation(const Computation& computation) {
    if (computation.name.empty() || !computation_names_.insert(computation.name).second) {
      diagnostics_.error(computation.loc, "E0206", "two computations have the name %" + computation.name);
    }
    instructions_.clear();
    for (const Instruction& instruction : computation.instructions()) {
      check_instruction(instruction);
      instructions_.insert(&instruction);
    }
    if (instructions_.count(computation.root()) == 0) {
      diagnostics_.error(computation.loc, "E0207", "computation %" + computation.name + " has no root");
    }
    check_parameters(computation);
  }

  void check_instruction(const Instruction& instruction) {
    if (instruction.name.empty() || !instruction_names_.insert(instruction.name).second) {
      report(instruction, "E0206", "two instructions have the name %" + instruction.name);
    }
    for (size_t i = 0; i < instruction.operands().size(); ++i) {
      if (instructions_.count(instruction.operand(i)) != 0) continue;
      report(instruction, "E0208",
             "operand " + std::to_string(i) + " of %" + instruction.name +
                 " is not an instruction before it in the same computation");
    }
    for (const Instruction* predecessor : instruction.control_predecessors) {
      if (instructions_.count(predecessor) != 0) continue;
      report(
          instruction, "E0208",
          "a control predecessor of %" + instruction.name + " is not an instruction before it in the same computation");
    }
    for (const Computation* called : instruction.called_computations()) {
      if (computations_.count(called) != 0) continue;
      report(instruction, "E0209", "%" + instruction.name + " calls a computation that does not stand before its own");
    }
    if (ShapeError error = shape_error(instruction.shape); failed(error)) report(instruction, "E0210", error.message);
  }

  void check_parameters(const Computation& computation) {
    int64_t expected = 0;
    for (const Instruction* parameter : computation.parameters()) {
      if (parameter->parameter_number != expected) {
        report(*parameter, "E0211",
               "parameter " + std::to_string(parameter->parameter_number) + " of %" + computation.name +
                   " should be number " + std::to_string(expected));
        return;
      }
      ++expected;
    }
  }

  void report(const Instruction& instruction, std::string_view code, std::string message) {
    diagnostics_.error(instruction.loc, code, std::move(message));
  }

  const Module& module_;
  Diagnostics& diagnostics_;
  // All for lookup only; nothing is listed in their order. The views are into the module's names.
  llvm::DenseSet<llvm::StringRef> computation_names_;
  llvm::DenseSet<llvm::StringRef> instruction_names_;
  llvm::DenseSet<const Computation*> computations_;  // before the present one
  llvm::DenseSet<const Instruction*> instructions_;  // of the present computation, before the present one
};

}  // namespace

void verify_structure(const Module& module, Diagnostics& diagnostics) { StructureVerifier(module, diagnostics).run(); }

}  // namespace sinter
