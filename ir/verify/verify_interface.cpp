// Invariants 11 and 12 of the verifier: the header fields that describe the entry to its caller.
#include <set>

#include "ir/infer/infer_common.h"
#include "ir/verify/verify_parts.h"

namespace sinter {
namespace {

// The part of a shape that an index path like {1,0} names, or nullptr.
const Shape* part(const Shape& shape, const std::vector<int64_t>& path) {
  const Shape* found = &shape;
  for (const int64_t index : path) {
    if (!found->is_tuple() || index < 0 || index >= static_cast<int64_t>(found->elements.size())) return nullptr;
    found = &found->elements[static_cast<size_t>(index)];
  }
  return found;
}

class InterfaceVerifier {
 public:
  InterfaceVerifier(const Module& module, Diagnostics& diagnostics)
      : module_(module), entry_(*module.entry()), parameters_(entry_.parameters()), diagnostics_(diagnostics) {}

  void run() {
    check_layouts();
    for (const Alias& alias : module_.input_output_alias) check_alias(alias);
    for (const Alias& donor : module_.buffer_donor) check_donor("buffer_donor", donor);
  }

 private:
  void check_layouts() {
    const std::vector<Shape>& layouts = module_.entry_parameter_layouts;
    if (!layouts.empty() && layouts.size() != parameters_.size()) {
      report("E0220", "entry_computation_layout has " + std::to_string(layouts.size()) + " parameters, the entry %" +
                          entry_.name + " has " + std::to_string(parameters_.size()));
      return;
    }
    for (size_t i = 0; i < layouts.size(); ++i) {
      check_layout("parameter " + std::to_string(i), layouts[i], parameters_[i]->shape);
    }
    if (module_.entry_result_layout) check_layout("the result", *module_.entry_result_layout, entry_.root()->shape);
  }

  void check_layout(const std::string& what, const Shape& layout, const Shape& shape) {
    if (same_bounds(layout, shape)) return;
    report("E0220", "entry_computation_layout states " + what + " as " + text(layout) + ", the entry %" + entry_.name +
                        " has " + text(shape));
  }

  // The donated parameter, if it exists and is donated once.
  const Shape* check_donor(const std::string& field, const Alias& alias) {
    const bool exists = alias.parameter >= 0 && alias.parameter < static_cast<int64_t>(parameters_.size());
    const Shape* input =
        exists ? part(parameters_[static_cast<size_t>(alias.parameter)]->shape, alias.parameter_index) : nullptr;
    const std::string name = "parameter " + std::to_string(alias.parameter) +
                             (alias.parameter_index.empty() ? std::string() : " at " + text(alias.parameter_index));
    if (input == nullptr) {
      report("E0221", field + " names " + name + ", which the entry %" + entry_.name + " does not have");
      return nullptr;
    }
    if (!donated_.insert({alias.parameter, alias.parameter_index}).second) {
      report("E0221", field + ": " + name + " is donated twice");
      return nullptr;
    }
    return input;
  }

  void check_alias(const Alias& alias) {
    const Shape* input = check_donor("input_output_alias", alias);
    const Shape* output = part(entry_.root()->shape, alias.output_index);
    if (output == nullptr) {
      report("E0221", "input_output_alias names result " + text(alias.output_index) + ", which the entry %" +
                          entry_.name + " does not have");
      return;
    }
    if (!aliased_.insert(alias.output_index).second) {
      report("E0221", "input_output_alias names result " + text(alias.output_index) + " twice");
    } else if (input != nullptr && input->bytes() != output->bytes()) {
      report("E0221", "input_output_alias: result " + text(alias.output_index) + " is " + text(*output) +
                          ", parameter " + std::to_string(alias.parameter) + " is " + text(*input) +
                          " and takes another number of bytes");
    }
  }

  void report(std::string_view code, std::string message) { diagnostics_.error(entry_.loc, code, std::move(message)); }

  const Module& module_;
  const Computation& entry_;
  const std::vector<Instruction*> parameters_;
  Diagnostics& diagnostics_;
  std::set<std::pair<int64_t, std::vector<int64_t>>> donated_;
  std::set<std::vector<int64_t>> aliased_;
};

}  // namespace

void verify_interface(const Module& module, Diagnostics& diagnostics) { InterfaceVerifier(module, diagnostics).run(); }

}  // namespace sinter
