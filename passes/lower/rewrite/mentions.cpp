#include "passes/lower/rewrite/mentions.h"

#include <algorithm>

namespace sinter {

namespace {

// True if the expression, or a part of it, is `wanted`.
template <class Wanted>
bool any_part(const Expr* expr, const Wanted& wanted) {
  return expr != nullptr && (wanted(*expr) || std::any_of(expr->operands.begin(), expr->operands.end(),
                                                          [&](const Expr* part) { return any_part(part, wanted); }));
}

template <class Wanted>
bool any_part(const Block& block, const Wanted& wanted) {
  return std::any_of(block.begin(), block.end(), [&](const Statement& statement) {
    return any_part(statement.target, wanted) || any_part(statement.value, wanted) ||
           any_part(statement.begin, wanted) || any_part(statement.body, wanted) || any_part(statement.other, wanted);
  });
}

}  // namespace

bool mentions(const Expr* expr, const Variable* variable) {
  return any_part(expr, [&](const Expr& part) { return part.variable == variable; });
}

bool mentions(const Block& block, const Variable* variable) {
  return any_part(block, [&](const Expr& part) { return part.variable == variable; });
}

bool mentions(const Block& block, const std::string& name) {
  return any_part(block, [&](const Expr& part) { return part.kind == Expr::Kind::kName && part.text == name; });
}

void add_mentioned(const Expr* expr, std::set<const Variable*>* variables) {
  if (expr == nullptr) return;
  if (expr->variable != nullptr) variables->insert(expr->variable);
  for (const Expr* operand : expr->operands) add_mentioned(operand, variables);
}

bool waits(const Expr* expr) {
  return any_part(expr, [](const Expr& part) { return part.sync != Sync::kNone; });
}

void drop_unread_indices(Block* block, const Block& all) {
  for (size_t i = block->size(); i-- > 0;) {
    Statement& statement = (*block)[i];
    drop_unread_indices(&statement.body, all);
    drop_unread_indices(&statement.other, all);
    const bool index = statement.kind == Statement::Kind::kLet && statement.variable->origin == nullptr;
    if (index && !mentions(all, statement.variable)) block->erase(block->begin() + static_cast<std::ptrdiff_t>(i));
  }
}

}  // namespace sinter
