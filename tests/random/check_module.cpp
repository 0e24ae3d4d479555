#include "tests/random/check_module.h"

#include <cmath>
#include <cstring>

#include "driver/compile/compile.h"
#include "driver/tensors/tensors.h"
#include "frontend/hlo/parse_hlo.h"
#include "ir/evaluate/evaluate.h"
#include "ir/text/print.h"
#include "ir/verify/verify.h"
#include "passes/graph/pipeline.h"

namespace sinter {
namespace {

// Of element `index` of numbers, or of parts of complex ones.
bool is_nan(const Literal& literal, size_t index) {
  switch (literal.shape().dtype) {
    case DType::kC64:
      return std::isnan(literal.values<float>()[index]);
    case DType::kC128:
      return std::isnan(literal.values<double>()[index]);
    default:
      return is_float(literal.shape().dtype) && std::isnan(literal.real_at(static_cast<int64_t>(index)));
  }
}

std::string number_at(const Literal& literal, size_t index) {
  switch (literal.shape().dtype) {
    case DType::kC64:
      return std::to_string(literal.values<float>()[index]);
    case DType::kC128:
      return std::to_string(literal.values<double>()[index]);
    default:
      break;
  }
  const int64_t at = static_cast<int64_t>(index);
  if (!is_float(literal.shape().dtype)) return std::to_string(literal.integer_at(at));
  char buffer[40];
  std::snprintf(buffer, sizeof buffer, "%.9g", literal.real_at(at));
  return buffer;
}

std::string differences(const Literal& got, const Literal& expected) {
  if (!got.shape().same_type(expected.shape())) {
    return "is " + to_string(got.shape(), false) + ", should be " + to_string(expected.shape(), false);
  }
  const size_t size =
      static_cast<size_t>(dtype_bytes(expected.shape().dtype)) / (is_complex(expected.shape().dtype) ? 2 : 1);
  const size_t count = expected.bytes().size() / size;
  size_t different = 0, first = 0;
  for (size_t i = 0; i < count; ++i) {
    if (std::memcmp(got.bytes().data() + i * size, expected.bytes().data() + i * size, size) == 0) continue;
    if (is_nan(got, i) && is_nan(expected, i)) continue;
    if (different++ == 0) first = i;
  }
  if (different == 0) return "";
  return std::to_string(different) + " of " + std::to_string(count) + " differ, the first at " + std::to_string(first) +
         ": is " + number_at(got, first) + ", should be " + number_at(expected, first);
}

}  // namespace

std::optional<std::vector<Literal>> results_of(const Module& module, const std::vector<Literal>& inputs,
                                               std::string& error) {
  const Source nowhere;
  Diagnostics diagnostics(nowhere);
  if (verify(module, diagnostics) && check_evaluable(module, diagnostics)) {
    constexpr EvaluateLimits kLimits = {.max_steps = int64_t{1} << 26};
    const std::optional<Literal> result = evaluate(module, pack_arguments(module, inputs), diagnostics, kLimits);
    if (result) return flatten(*result);
  }
  error = diagnostics.render();
  return std::nullopt;
}

std::string bit_differences(const std::vector<Literal>& got, const std::vector<Literal>& expected) {
  if (got.size() != expected.size()) return "there are " + std::to_string(got.size()) + " results\n";
  std::string text;
  for (size_t i = 0; i < got.size(); ++i) {
    const std::string difference = differences(got[i], expected[i]);
    if (!difference.empty())
      text += "result " + std::to_string(i) + ", " + to_string(expected[i].shape(), false) + ": " + difference + "\n";
  }
  return text;
}

std::string check_round_trip(const Module& module) {
  const Source source = {.name = "printed.hlo", .text = print(module)};
  Diagnostics diagnostics(source);
  const std::unique_ptr<Module> again = parse_hlo(diagnostics);
  if (!again || !verify(*again, diagnostics))
    return "round-trip: what is printed cannot be read\n" + diagnostics.render();
  if (!diagnostics.all().empty()) return "round-trip: reading what is printed warns\n" + diagnostics.render();
  if (print(*again) != source.text) return "round-trip: printed again it differs\n";
  return "";
}

std::string check_compiles(const Module& module) {
  const Source source = {.name = "printed.hlo", .text = print(module)};
  Diagnostics diagnostics(source);
  try {
    if (compile({.name = "random_module", .graph = {.fma = false}}, diagnostics)) return "";
  } catch (const std::exception& bug) {
    return std::string("compile: internal error: ") + bug.what() + "\n";
  }
  return "refused: " + diagnostics.render();
}

std::string check_passes(const Module& module, const std::vector<Literal>& inputs,
                         const std::vector<Literal>& expected) {
  const GraphPassOptions options = {.fma = false};
  std::string problem;
  const auto compare_after = [&](std::string_view pass, const Module& after) {
    std::string error;
    const std::optional<std::vector<Literal>> results = results_of(after, inputs, error);
    if (results) error = bit_differences(*results, expected);
    if (!error.empty() && problem.empty()) problem = std::string(pass) + ": " + error;
  };
  // Alone, on what was written; then in the order of the pipeline.
  for (const GraphPass& pass : graph_passes()) {
    const std::unique_ptr<Module> copy = module.clone();
    try {
      bool changed = false;
      run_graph_passes(*copy, {&pass}, options,
                       {.after = [&](auto, bool did, double, const Module&) { changed = did; }});
      if (changed) compare_after(pass.name, *copy);
      if (!changed && print(*copy) != print(module))
        problem = std::string(pass.name) + ": changes what it says it does not\n";
    } catch (const std::exception& bug) {
      problem = std::string(pass.name) + ": internal error: " + bug.what() + "\n";
    }
    if (!problem.empty()) return problem;
  }
  const std::unique_ptr<Module> copy = module.clone();
  try {
    run_graph_passes(*copy, options, {.after = [&](std::string_view name, bool changed, double, const Module& after) {
      if (changed && problem.empty()) compare_after(name, after);
    }});
  } catch (const std::exception& bug) {
    problem = std::string("pipeline: internal error: ") + bug.what() + "\n";
  }
  return problem.empty() ? "" : problem + "(in the pipeline)\n";
}

}  // namespace sinter
