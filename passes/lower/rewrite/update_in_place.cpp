#include "passes/lower/rewrite/update_in_place.h"

#include <algorithm>
#include <map>
#include <optional>

namespace sinter {

namespace {

// Expressions are as deep as a line of text is long.
bool reads(const Expr& expr, const Variable* variable) {
  if (expr.kind == Expr::Kind::kVariable) return expr.variable == variable;
  return std::any_of(expr.operands.begin(), expr.operands.end(),
                     [&](const Expr* operand) { return reads(*operand, variable); });
}

using Holders = std::map<const Variable*, Variable*>;  // value -> the mutable that has it; only looked up

// The expression over what holds its values.
const Expr* rewritten(Kernel& kernel, const Expr* expr, const Holders& holders) {
  if (expr->kind == Expr::Kind::kVariable) {
    const auto found = holders.find(expr->variable);
    return found == holders.end() ? expr : kernel.reference(found->second);
  }
  std::vector<const Expr*> operands;
  for (const Expr* operand : expr->operands) operands.push_back(rewritten(kernel, operand, holders));
  if (operands == expr->operands) return expr;
  switch (expr->kind) {
    case Expr::Kind::kPrefix:
      return kernel.prefix(expr->text, operands[0], expr->type);
    case Expr::Kind::kInfix:
      return kernel.infix(operands[0], expr->text, operands[1], expr->type);
    case Expr::Kind::kConditional:
      return kernel.conditional(operands[0], operands[1], operands[2]);
    case Expr::Kind::kCall:
      return kernel.with_operands(*expr, std::move(operands));
    case Expr::Kind::kSubscript:
      return kernel.subscript(operands[0], operands[1], expr->type);
    case Expr::Kind::kMember:
      return kernel.member(operands[0], expr->text, expr->type);
    case Expr::Kind::kCast:
      return kernel.cast(expr->type, operands[0]);
    case Expr::Kind::kBraces:
      return kernel.braces(std::move(operands), expr->type);
    default:
      return expr;
  }
}

// The operands of `a + b + c`, from left to right; of anything else the expression itself.
std::vector<const Expr*> chain(const Expr* expr, const std::string& op) {
  std::vector<const Expr*> operands;
  while (expr->kind == Expr::Kind::kInfix && expr->text == op) {
    operands.push_back(expr->operands[1]);
    expr = expr->operands[0];
  }
  operands.push_back(expr);
  std::reverse(operands.begin(), operands.end());
  return operands;
}

// x = x + a + b is written x += a + b: unsigned sums may be grouped at will.
Statement assignment(Kernel& kernel, Variable* target, const Expr* value) {
  Statement statement = {
      .kind = Statement::Kind::kAssign, .target = kernel.reference(target), .value = value, .text = "="};
  const bool groups = value->text == "+" || value->text == "^" || value->text == "*";
  if (value->kind != Expr::Kind::kInfix || !groups) return statement;
  const std::string op = value->text;
  const std::vector<const Expr*> operands = chain(value, op);
  if (operands[0]->variable != target) return statement;
  const Expr* rest = operands[1];
  for (size_t i = 2; i < operands.size(); ++i) rest = kernel.infix(rest, op, operands[i], value->type);
  if (reads(*rest, target)) return statement;
  statement.text = op + "=";
  statement.value = rest;
  return statement;
}

}  // namespace

bool update_in_place(Kernel& kernel, const std::vector<Variable*>& mutables, Block* block, const Expr** returned) {
  size_t values = 0;
  for (const Statement& statement : *block) {
    if (statement.kind == Statement::Kind::kComment || statement.kind == Statement::Kind::kBlank) continue;
    if (statement.kind != Statement::Kind::kLet) return false;
    const CType& type = statement.variable->type;
    if (type.kind != CType::Kind::kValue || !is_integer(type.dtype) || is_signed_integer(type.dtype)) return false;
    if (dtype_bits(type.dtype) < 32) return false;
    ++values;
  }

  // First only who holds what: `taken[i]` is the mutable that statement i updates.
  Holders holders;
  std::map<const Variable*, const Variable*> value_of;  // mutable -> the value it has
  for (const Variable* variable : mutables) value_of[variable] = variable;
  std::vector<Variable*> taken(block->size(), nullptr);
  const auto read_after = [&](const Variable* value, size_t statement) {
    for (size_t i = statement + 1; i < block->size(); ++i) {
      if ((*block)[i].value != nullptr && reads(*(*block)[i].value, value)) return true;
    }
    return reads(**returned, value);
  };
  size_t updates = 0;
  for (size_t i = 0; i < block->size(); ++i) {
    const Statement& statement = (*block)[i];
    if (statement.kind != Statement::Kind::kLet) continue;
    for (Variable* variable : mutables) {
      if (!(variable->type == statement.variable->type) || !reads(*statement.value, value_of.at(variable)) ||
          read_after(value_of.at(variable), i)) {
        continue;
      }
      taken[i] = variable;
      value_of[variable] = statement.variable;
      ++updates;
      break;
    }
  }
  if (updates == 0 || updates * 4 < values * 3) return false;

  for (size_t i = 0; i < block->size(); ++i) {
    Statement& statement = (*block)[i];
    if (statement.kind != Statement::Kind::kLet) continue;
    statement.value = rewritten(kernel, statement.value, holders);
    if (taken[i] == nullptr) continue;
    holders[statement.variable] = taken[i];
    const Instruction* origin = statement.origin;
    statement = assignment(kernel, taken[i], statement.value);
    statement.origin = origin;
  }
  *returned = rewritten(kernel, *returned, holders);
  return true;
}

}  // namespace sinter
