// The text of an index expression, for tests and dumps: "32*c0 + v2 + (c0 + c1) / 4 - 1".
#include "ir/index/index_expr.h"

namespace sinter {
namespace {

// Deeper operands are written as "...": their text doubles with each level.
constexpr int kDeepestText = 12;

std::string text_of(const IndexExpr& expr, int depth);

std::string text_of(const IndexExpr::Atom& atom, int depth) {
  if (atom.kind == IndexExpr::AtomKind::kCoordinate) return "c" + std::to_string(atom.id);
  if (atom.kind == IndexExpr::AtomKind::kValue) return "v" + std::to_string(atom.id);
  const char* sign = atom.kind == IndexExpr::AtomKind::kFloorDiv ? " / " : " % ";
  const IndexExpr& operand = atom.operand;
  const bool bare = operand.constant() == 0 && operand.terms().size() == 1 && operand.terms()[0].coefficient == 1 &&
                    operand.terms()[0].atom->depth == 0;
  const std::string inner = depth < kDeepestText ? text_of(operand, depth + 1) : "...";
  return (bare ? inner : "(" + inner + ")") + sign + std::to_string(atom.divisor);
}

std::string text_of(const IndexExpr& expr, int depth) {
  std::string text;
  const auto add = [&](bool negative, const std::string& magnitude) {
    if (text.empty()) {
      text = (negative ? "-" : "") + magnitude;
    } else {
      text += (negative ? " - " : " + ") + magnitude;
    }
  };
  // The magnitude of a number, whatever its sign.
  const auto magnitude = [](int64_t number) {
    return std::to_string(number < 0 ? uint64_t{0} - static_cast<uint64_t>(number) : static_cast<uint64_t>(number));
  };
  for (const IndexExpr::Term& term : expr.terms()) {
    std::string factor = text_of(*term.atom, depth);
    if (term.coefficient != 1 && term.coefficient != -1) {
      if (term.atom->depth > 0) factor = "(" + factor + ")";
      factor = magnitude(term.coefficient) + "*" + factor;
    } else if (term.coefficient == -1 && text.empty() && term.atom->depth > 0) {
      factor = "(" + factor + ")";
    }
    add(term.coefficient < 0, factor);
  }
  if (expr.constant() != 0 || text.empty()) add(expr.constant() < 0, magnitude(expr.constant()));
  return text;
}

}  // namespace

std::string IndexExpr::to_string() const { return text_of(*this, 0); }

}  // namespace sinter
