#include "passes/lower/text/assignment.h"

namespace sinter {

namespace {

// One variable, or one element of an array.
bool is_same_place(const Expr* a, const Expr* b) {
  if (a == b) return true;
  return a->kind == Expr::Kind::kVariable && b->kind == Expr::Kind::kVariable && a->variable == b->variable;
}

}  // namespace

Statement assignment(const Expr* target, const Expr* value) {
  static const std::set<std::string> operators = {"+", "-", "*", "/", "&", "|", "^"};
  Statement statement = {.kind = Statement::Kind::kAssign, .target = target, .value = value, .text = "="};
  if (value->kind != Expr::Kind::kInfix || !is_same_place(value->operands[0], target)) return statement;
  const Expr* right = value->operands[1];
  // A truth value is combined without a branch: a load on the right of && would wait for what is on its left.
  if (value->text == "&&" || value->text == "||") {
    statement.text = value->text.substr(1) + "=";
    statement.value = right;
    return statement;
  }
  if (operators.count(value->text) == 0) return statement;
  // Adding a condition to a count needs no cast.
  const bool condition = right->kind == Expr::Kind::kCast && is_integer(right->type.dtype) &&
                         right->operands[0]->type == CType::value(DType::kPred);
  statement.text = value->text + "=";
  statement.value = condition ? right->operands[0] : right;
  return statement;
}

}  // namespace sinter
