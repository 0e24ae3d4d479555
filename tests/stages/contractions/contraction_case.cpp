#include "tests/stages/contractions/contraction_case.h"

#include <algorithm>
#include <cmath>

#include "driver/tensors/tensors.h"
#include "frontend/hlo/parse_hlo.h"
#include "ir/evaluate/evaluate.h"
#include "ir/verify/verify.h"
#include "tests/stages/stage_programs.h"

namespace sinter {
namespace {

std::vector<Literal> draw_inputs(const ContractionCase& item, const Module& module, uint64_t seed) {
  std::vector<Literal> inputs;
  for (const Instruction* parameter : module.entry()->parameters()) {
    const bool wide = parameter->shape.dtype == DType::kF32 || parameter->shape.dtype == DType::kF64;
    Literal literal = few_values(item.program.exact ? 9
                                 : wide             ? 1 << 20
                                                    : 200,
                                 item.program.special)(parameter->shape, inputs.size() + 100 * seed);
    // Many values are to be at most one.
    if (!item.program.exact && is_float(parameter->shape.dtype)) {
      for (int64_t i = 0; i < literal.element_count(); ++i)
        literal.set_real(i, literal.real_at(i) * (wide ? 0x1p-17 : 0x1p-5));
    }
    inputs.push_back(std::move(literal));
  }
  return inputs;
}

// Of a narrow type: one rounding of the largest element.
double rounding(const Literal& expected) {
  double largest = 0;
  for (int64_t i = 0; i < expected.element_count(); ++i) {
    const double value = std::abs(expected.real_at(i));
    if (std::isfinite(value)) largest = std::max(largest, value);
  }
  const DType dtype = expected.shape().dtype;
  return largest * (dtype == DType::kBF16 ? 0x1p-6 : dtype == DType::kF16 ? 0x1p-9 : 0);
}

}  // namespace

std::string draw_contraction(uint64_t seed, const std::string& only, ContractionCase& item) {
  item.program = random_contraction(seed);
  const Source source = {.name = item.program.name + ".hlo", .text = item.program.text};
  Diagnostics diagnostics(source);
  const std::unique_ptr<Module> module = parse_hlo(diagnostics);
  if (!module || !verify(*module, diagnostics)) return diagnostics.render();
  item.inputs = draw_inputs(item, *module, seed);
  const std::optional<Literal> expected = evaluate(*module, pack_arguments(*module, item.inputs), diagnostics);
  if (!expected) return diagnostics.render();
  item.expected = flatten(*expected);
  item.options.name = item.program.name;
  item.options.graph.fma = false;
  if (only.ends_with(" tf32")) item.options.dot_precision = "tf32";
  Random random(seed ^ 0xf0f0);
  try {
    std::optional<CompiledInForm> compiled = compile_in_form(item.options, random, only, diagnostics);
    if (!compiled) return diagnostics.render();
    item.compiled = std::move(*compiled);
  } catch (const std::exception& bug) {
    return std::string("internal error: ") + bug.what();
  }
  if (!item.compiled.plan.empty())
    item.options.schedule.plan = std::make_shared<Source>(Source{.name = "plan", .text = item.compiled.plan});
  return "";
}

double distance_allowed(const ContractionCase& item, size_t number) {
  const Literal& expected = item.expected[number];
  if (item.program.exact || !is_float(expected.shape().dtype)) return 0;
  return item.program.bound + 4 * rounding(expected);
}

}  // namespace sinter
