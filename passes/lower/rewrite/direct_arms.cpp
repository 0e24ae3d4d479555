#include "passes/lower/rewrite/direct_arms.h"

#include <algorithm>

#include "passes/lower/rewrite/replace_expr.h"

namespace sinter {

namespace {

using Kind = Statement::Kind;

// Expressions are as deep as a line is long.
bool reads(const Expr* expr, const Variable* variable) {
  if (expr == nullptr) return false;
  if (expr->kind == Expr::Kind::kVariable && expr->variable == variable) return true;
  return std::any_of(expr->operands.begin(), expr->operands.end(),
                     [&](const Expr* operand) { return reads(operand, variable); });
}

bool is_set(const Statement& statement, const Variable* variable) {
  return statement.kind == Kind::kAssign && statement.text == "=" && statement.target->kind == Expr::Kind::kVariable &&
         statement.target->variable == variable;
}

// Whether statements do anything with the variable but set it.
bool uses(const Block& block, const Variable* variable) {
  return std::any_of(block.begin(), block.end(), [&](const Statement& statement) {
    const bool target = !is_set(statement, variable) && reads(statement.target, variable);
    return target || reads(statement.value, variable) || reads(statement.begin, variable) ||
           uses(statement.body, variable) || uses(statement.other, variable);
  });
}

void set_instead(Kernel& kernel, const Variable* from, const Variable* to, Block* block) {
  for (Statement& statement : *block) {
    if (is_set(statement, from)) statement.target = kernel.reference(to);
    set_instead(kernel, from, to, &statement.body);
    set_instead(kernel, from, to, &statement.other);
  }
}

}  // namespace

void assign_directly(Kernel& kernel, Block* arm, const Expr* held) {
  if (arm->empty()) return;
  const Statement& last = arm->back();
  if (last.kind != Kind::kAssign || last.text != "=" || last.target->kind != Expr::Kind::kVariable ||
      last.value->kind != Expr::Kind::kVariable)
    return;
  const Variable* inner = last.value->variable;
  const Variable* outer = last.target->variable;
  const auto declared = std::find_if(arm->begin(), arm->end(), [&](const Statement& statement) {
    return statement.kind == Kind::kDeclare && statement.variable == inner;
  });
  if (declared == arm->end() || !(inner->type == outer->type) || reads(declared->value, outer)) return;
  const Block between(declared + 1, arm->end() - 1);
  if (uses(between, inner) || uses(between, outer)) return;
  arm->pop_back();
  if (declared->value == nullptr || (held != nullptr && same_expr(declared->value, held))) {
    arm->erase(declared);
  } else {
    *declared = {.kind = Kind::kAssign, .target = kernel.reference(outer), .value = declared->value, .text = "="};
  }
  set_instead(kernel, inner, outer, arm);
}

void join_tests(Kernel& kernel, Statement* guard) {
  const Block& body = guard->body;
  if (!guard->other.empty() || body.size() != 1 || body[0].kind != Kind::kIf || !body[0].other.empty()) return;
  Statement joined = {.kind = Kind::kIf};
  joined.value = kernel.infix(guard->value, "&&", body[0].value, CType::value(DType::kPred));
  joined.body = body[0].body;
  *guard = std::move(joined);
}

}  // namespace sinter
