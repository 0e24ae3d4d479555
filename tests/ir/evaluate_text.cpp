// Parsing, evaluating and printing for tests of the evaluator.
#include "tests/ir/evaluate_text.h"

#include "frontend/hlo/parse_hlo.h"
#include "ir/evaluate/evaluate.h"

namespace sinter {
namespace {

std::string text_of(const Literal& literal) {
  if (!literal.shape().is_tuple()) return to_string(literal);
  std::string text;
  for (const Literal& element : literal.elements()) text += (text.empty() ? "(" : ", ") + text_of(element);
  return text.empty() ? "()" : text + ")";
}

}  // namespace

std::string value_of(const std::string& entry, const std::string& computations) {
  const Source source{"test.hlo", "HloModule test\n" + computations + "\nENTRY main {\n" + entry + "\n}\n"};
  Diagnostics diagnostics(source);
  const std::unique_ptr<Module> module = parse_hlo(diagnostics);
  if (!module || !check_evaluable(*module, diagnostics)) return diagnostics.render();
  const std::optional<Literal> result = evaluate(*module, {}, diagnostics, {.max_steps = 1000000});
  return result ? text_of(*result) : diagnostics.render();
}

}  // namespace sinter
