#include "tests/grain/compare.h"

#include <algorithm>
#include <cmath>

#include "ir/evaluate/evaluate.h"
#include "ir/verify/verify.h"
#include "tests/grain/generate.h"
#include "tests/grain/interpret.h"

namespace sinter::grain_test {
namespace {

// Floats that are not computed to the same bits: of the largest of their array.
constexpr double kTolerance = 2e-4;

std::string shown(const Literal& literal) {
  const std::string text = to_string(literal);
  return text.size() < 200 ? text : text.substr(0, 200) + "...";
}

std::string difference(const Literal& compiled, const Literal& interpreted, bool is_exact) {
  const Shape& shape = compiled.shape();
  if (shape.dtype != interpreted.shape().dtype || shape.dims != interpreted.shape().dims)
    return "another type or shape";
  const Value a = from_literal(compiled), b = from_literal(interpreted);
  const auto count = static_cast<size_t>(shape.element_count());
  double largest = 1e-3;
  for (size_t i = 0; i < count; ++i) {
    if (std::isfinite(b.cell(i).real)) largest = std::max(largest, std::fabs(b.cell(i).real));
  }
  const double allowed = is_exact ? 0 : kTolerance * largest;
  const auto agrees = [&](double x, double y) {
    return (std::isnan(x) && std::isnan(y)) || x == y || std::fabs(x - y) <= allowed;
  };
  for (size_t i = 0; i < count; ++i) {
    const Cell &x = a.cell(i), &y = b.cell(i);
    if (x.integer == y.integer && agrees(x.real, y.real) && agrees(x.imag, y.imag)) continue;
    return "element " + std::to_string(i) + ": compiled " + shown(compiled) + ", interpreted " + shown(interpreted);
  }
  return "";
}

Comparison compared(const std::string& name, const std::string& text, const ComparisonOptions& options) {
  const Source source{name, text};
  Diagnostics diagnostics(source);
  try {
    const std::unique_ptr<Module> module = parse_grain(diagnostics, options.grain);
    if (!module) {
      if (diagnostics.ok()) return {Outcome::kDiffers, "neither a module nor an error"};
      for (const Diagnostic& diagnostic : diagnostics.all()) {
        if (diagnostic.severity == Severity::kError)
          return {Outcome::kRefused, diagnostic.code + " " + diagnostic.message};
      }
      return {Outcome::kRefused, "?"};
    }
    if (!diagnostics.ok()) return {Outcome::kDiffers, "a module, and an error"};
    if (!verify(*module, diagnostics)) return {Outcome::kDiffers, "not valid: " + diagnostics.render()};
    if (!check_evaluable(*module, diagnostics)) return {Outcome::kUnknown, "not evaluated"};
    std::vector<Shape> shapes;
    for (const Instruction* parameter : module->entry()->parameters()) shapes.push_back(parameter->shape);
    const std::vector<Literal> inputs = generate_inputs(shapes, options.seed);
    EvaluateLimits limits;
    limits.max_steps = 50'000'000;
    std::optional<Literal> result = evaluate(*module, inputs, diagnostics, limits);
    if (!result) return {Outcome::kUnknown, "it takes too long"};
    std::vector<Literal> compiled = {*result};
    if (result->shape().is_tuple()) compiled = result->elements();
    const std::vector<Literal> interpreted = interpret(source, options.grain, inputs);
    if (compiled.size() != interpreted.size()) return {Outcome::kDiffers, "another number of results"};
    for (size_t i = 0; i < compiled.size(); ++i) {
      const std::string problem = difference(compiled[i], interpreted[i], options.is_exact);
      if (!problem.empty()) return {Outcome::kDiffers, "result " + std::to_string(i) + ", " + problem};
    }
  } catch (const Unknown& unknown) {
    return {Outcome::kUnknown, unknown.what()};
  } catch (const Meaningless& meaningless) {
    return {Outcome::kDiffers, std::string("compiled, but ") + meaningless.what()};
  } catch (const std::exception& error) {
    return {Outcome::kDiffers, std::string("thrown: ") + error.what()};
  }
  return {};
}

}  // namespace

Comparison compare(const std::string& name, const std::string& text, const ComparisonOptions& options) {
  const Comparison result = compared(name, text, options);
  if (result.outcome != Outcome::kDiffers || options.is_exact) return result;
  // A loop that ends by a comparison of floats may end a step earlier: in f64 it does not.
  std::string precise = text;
  for (size_t at = 0; (at = precise.find("f32", at)) != std::string::npos;) precise.replace(at, 3, "f64");
  const Comparison again = compared(name, precise, options);
  return again.outcome == Outcome::kAgrees ? again : result;
}

}  // namespace sinter::grain_test
