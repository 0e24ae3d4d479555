#include "passes/lower/rewrite/replace_expr.h"

#include <algorithm>
#include <vector>

namespace sinter {

bool same_expr(const Expr* a, const Expr* b) {
  if (a == nullptr || b == nullptr) return a == b;
  if (a->kind == Expr::Kind::kLiteral) return b->kind == Expr::Kind::kLiteral && a->literal.same_value(b->literal);
  return a->kind == b->kind && a->type == b->type && a->text == b->text && a->integer == b->integer &&
         a->variable == b->variable && a->operands.size() == b->operands.size() &&
         std::equal(a->operands.begin(), a->operands.end(), b->operands.begin(), same_expr);
}

const Expr* replaced(Kernel* kernel, const Expr* expr, const Replacement& replace, bool maybe) {
  if (expr == nullptr) return nullptr;
  if (const Expr* other = replace(expr, maybe)) return other;
  const bool chooses = expr->kind == Expr::Kind::kConditional ||
                       (expr->kind == Expr::Kind::kInfix && (expr->text == "&&" || expr->text == "||"));
  std::vector<const Expr*> operands;
  for (const Expr* operand : expr->operands)
    operands.push_back(replaced(kernel, operand, replace, maybe || (chooses && !operands.empty())));
  if (operands == expr->operands) return expr;
  const auto is_zero = [&](size_t i) { return operands[i]->kind == Expr::Kind::kInteger && operands[i]->integer == 0; };
  const bool adds = expr->kind == Expr::Kind::kInfix && expr->text == "+";
  if (adds && is_zero(1)) return operands[0];
  if (adds && is_zero(0)) return operands[1];
  return kernel->with_operands(*expr, std::move(operands));
}

void replace_in(Kernel* kernel, Block* block, const Replacement& replace, bool maybe) {
  for (Statement& statement : *block) {
    statement.target = replaced(kernel, statement.target, replace, maybe);
    statement.value = replaced(kernel, statement.value, replace, maybe);
    statement.begin = replaced(kernel, statement.begin, replace, maybe);
    replace_in(kernel, &statement.body, replace, true);
    replace_in(kernel, &statement.other, replace, true);
  }
}

}  // namespace sinter
