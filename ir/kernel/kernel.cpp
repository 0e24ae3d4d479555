// The builders of the kernel IR: each makes one variable or expression that the kernel owns.
#include "ir/kernel/kernel.h"

#include <utility>

#include "ir/support/diagnostics.h"

namespace sinter {

Variable* Kernel::variable(std::string name, CType type, const Instruction* origin) {
  const int id = static_cast<int>(variables_.size());
  return &variables_.emplace_back(Variable{std::move(name), std::move(type), origin, id});
}

const Expr* Kernel::add(Expr expr) {
  for (const Expr* operand : expr.operands) check(operand != nullptr, "kernel IR", "an operand is missing");
  return &exprs_.emplace_back(std::move(expr));
}

void Kernel::rename(const std::string& from, const std::string& to) {
  for (Expr& expr : exprs_) {
    if (expr.kind == Expr::Kind::kName && expr.text == from) expr.text = to;
  }
}

void Kernel::rename_call(const std::string& from, const std::string& to) {
  for (Expr& expr : exprs_) {
    if (expr.kind == Expr::Kind::kCall && expr.text == from) expr.text = to;
  }
}

void Kernel::rename_shared(const std::string& from, const std::string& to) {
  for (SharedStruct::Member& member : shared.members) {
    if (member.name == from) member.name = to;
  }
  for (Expr& expr : exprs_) {
    if (expr.kind == Expr::Kind::kMember && expr.text == from) expr.text = to;
  }
}

const Expr* Kernel::literal(Literal value) {
  check(value.shape().is_array() && value.element_count() == 1, "kernel IR", "a literal in an expression is a scalar");
  Expr expr;
  expr.kind = Expr::Kind::kLiteral;
  expr.type = CType::value(value.shape().dtype);
  expr.literal = std::move(value);
  return add(std::move(expr));
}

const Expr* Kernel::integer(int64_t value) {
  Expr expr;
  expr.kind = Expr::Kind::kInteger;
  expr.type = CType::value(value == static_cast<int32_t>(value) ? DType::kS32 : DType::kS64);
  expr.integer = value;
  return add(std::move(expr));
}

const Expr* Kernel::reference(const Variable* variable) {
  check(variable != nullptr, "kernel IR", "a variable is missing");
  Expr expr;
  expr.kind = Expr::Kind::kVariable;
  expr.type = variable->type;
  expr.variable = variable;
  return add(std::move(expr));
}

const Expr* Kernel::name_expr(std::string text, CType type) {
  Expr expr;
  expr.kind = Expr::Kind::kName;
  expr.type = std::move(type);
  expr.text = std::move(text);
  return add(std::move(expr));
}

const Expr* Kernel::prefix(std::string op, const Expr* operand, CType type) {
  Expr expr;
  expr.kind = Expr::Kind::kPrefix;
  expr.type = std::move(type);
  expr.text = std::move(op);
  expr.operands = {operand};
  return add(std::move(expr));
}

const Expr* Kernel::infix(const Expr* left, std::string op, const Expr* right, CType type) {
  Expr expr;
  expr.kind = Expr::Kind::kInfix;
  expr.type = std::move(type);
  expr.text = std::move(op);
  expr.operands = {left, right};
  return add(std::move(expr));
}

const Expr* Kernel::conditional(const Expr* condition, const Expr* then, const Expr* otherwise) {
  check(then != nullptr, "kernel IR", "an operand is missing");
  Expr expr;
  expr.kind = Expr::Kind::kConditional;
  expr.type = then->type;
  expr.operands = {condition, then, otherwise};
  return add(std::move(expr));
}

const Expr* Kernel::call(std::string function, std::vector<const Expr*> arguments, CType type,
                         std::optional<Sync> sync) {
  Expr expr;
  expr.kind = Expr::Kind::kCall;
  expr.sync = sync_of(function, sync);
  expr.type = std::move(type);
  expr.text = std::move(function);
  expr.operands = std::move(arguments);
  return add(std::move(expr));
}

const Expr* Kernel::subscript(const Expr* base, const Expr* index, CType type) {
  Expr expr;
  expr.kind = Expr::Kind::kSubscript;
  expr.type = std::move(type);
  expr.operands = {base, index};
  return add(std::move(expr));
}

const Expr* Kernel::member(const Expr* base, std::string name, CType type) {
  Expr expr;
  expr.kind = Expr::Kind::kMember;
  expr.type = std::move(type);
  expr.text = std::move(name);
  expr.operands = {base};
  return add(std::move(expr));
}

const Expr* Kernel::cast(CType type, const Expr* operand) {
  Expr expr;
  expr.kind = Expr::Kind::kCast;
  expr.type = std::move(type);
  expr.operands = {operand};
  return add(std::move(expr));
}

const Expr* Kernel::with_operands(Expr expr, std::vector<const Expr*> operands) {
  expr.operands = std::move(operands);
  return add(std::move(expr));
}

const Expr* Kernel::braces(std::vector<const Expr*> operands, CType type) {
  Expr expr;
  expr.kind = Expr::Kind::kBraces;
  expr.type = std::move(type);
  expr.operands = std::move(operands);
  return add(std::move(expr));
}

}  // namespace sinter
