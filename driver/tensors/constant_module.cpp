// Reading evaluates, so that broadcasts of scalars, as XLA prints constants of equal elements, are fine.
#include "driver/tensors/constant_module.h"

#include "driver/system/files.h"
#include "driver/tensors/elided.h"
#include "driver/tensors/tensors.h"
#include "frontend/hlo/parse_hlo.h"
#include "ir/evaluate/evaluate.h"
#include "ir/text/print.h"
#include "ir/verify/verify.h"

namespace sinter {

std::optional<std::vector<Literal>> read_constant_module(const std::string& path, std::string& error) {
  std::optional<std::string> text = read_file(path, error);
  if (!text) return std::nullopt;
  const Source source = {.name = path, .text = std::move(*text)};
  Diagnostics diagnostics(source);
  const std::unique_ptr<Module> module = parse_hlo(diagnostics);
  std::optional<Literal> value;
  if (module && verify(*module, diagnostics) && refuse_elided(*module, diagnostics) &&
      check_evaluable(*module, diagnostics)) {
    if (!module->entry()->parameters().empty()) {
      error = path + ": a module of constants has no parameters";
      return std::nullopt;
    }
    value = evaluate(*module, {}, diagnostics);
  }
  if (!value) {
    error = diagnostics.render();
    return std::nullopt;
  }
  return flatten(*value);
}

std::string print_constant_module(const std::vector<Literal>& arrays) {
  Module module;
  module.name = "tensors";
  Computation* entry = module.add_computation("main");
  module.set_entry(entry);
  std::vector<Instruction*> constants;
  std::vector<Shape> shapes;
  for (const Literal& array : arrays) {
    constants.push_back(entry->add_constant(array));
    shapes.push_back(array.shape());
  }
  entry->set_root(entry->add(Opcode::kTuple, Shape::tuple(shapes), constants));
  return print(module);
}

}  // namespace sinter
