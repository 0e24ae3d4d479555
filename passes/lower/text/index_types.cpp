#include "passes/lower/text/index_types.h"

#include <algorithm>

namespace sinter {

bool needs_wide_sum(const IndexExpr& expr) {
  if (!fits_int(expr.range())) return true;
  // Terms that are added come first, whatever is subtracted from them.
  IndexExpr added(std::max<int64_t>(expr.constant(), 0));
  int64_t high = added.constant();
  for (const IndexExpr::Term& term : expr.terms()) {
    if (term.coefficient > 0) high += std::max<int64_t>(0, term.coefficient * term.atom->range.high);
    const bool divides =
        term.atom->kind == IndexExpr::AtomKind::kFloorDiv || term.atom->kind == IndexExpr::AtomKind::kMod;
    if (high > INT32_MAX || (divides && needs_wide_sum(term.atom->operand))) return true;
  }
  return false;
}

bool is_wide(const Kernel& kernel, const Expr& expr) {
  switch (expr.kind) {
    case Expr::Kind::kInteger:
      return expr.integer > INT32_MAX || expr.integer < INT32_MIN;
    case Expr::Kind::kLiteral:
    case Expr::Kind::kCast:
    case Expr::Kind::kSubscript:
    case Expr::Kind::kMember:
    case Expr::Kind::kCall:
      return dtype_bits(expr.type.dtype) > 32;
    case Expr::Kind::kVariable:
      return dtype_bits(expr.variable->type.dtype) > 32;
    case Expr::Kind::kName:
      return std::any_of(kernel.constants.begin(), kernel.constants.end(), [&](const NamedConstant& constant) {
        return constant.name == expr.text && constant.type == "int64_t";
      });
    case Expr::Kind::kConditional:
      return is_wide(kernel, *expr.operands[1]) || is_wide(kernel, *expr.operands[2]);
    case Expr::Kind::kPrefix:
    case Expr::Kind::kInfix:
    case Expr::Kind::kBraces:
      return std::any_of(expr.operands.begin(), expr.operands.end(),
                         [&](const Expr* operand) { return is_wide(kernel, *operand); });
  }
  return false;
}

std::string product_spelling(int64_t value, const std::string& spelling) {
  const size_t times = spelling.find(" * ");
  if (extent_type(value) == "int" || times == std::string::npos) return spelling;
  const std::string first = spelling.substr(0, times);
  return first.find(' ') == std::string::npos ? "int64_t{" + first + "}" + spelling.substr(times) : spelling;
}

}  // namespace sinter
