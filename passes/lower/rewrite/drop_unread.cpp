#include "passes/lower/rewrite/drop_unread.h"

#include <algorithm>
#include <utility>

#include "passes/lower/rewrite/mentions.h"

namespace sinter {

namespace {

using StatementKind = Statement::Kind;

// The variable that a statement gives a value to, by its name; nullptr if it does something else.
const Variable* given(const Statement& statement) {
  switch (statement.kind) {
    case StatementKind::kLet:
    case StatementKind::kDeclare:
      return statement.variable;
    case StatementKind::kAssign:
      return statement.target->kind == Expr::Kind::kVariable ? statement.target->variable : nullptr;
    default:
      return nullptr;
  }
}

// Variables whose values something else than their own next value reads, or which get them from calls that stay.
void add_needed(const Block& block, std::set<const Variable*>* needed) {
  for (const Statement& statement : block) {
    const Variable* variable = given(statement);
    std::set<const Variable*> read;
    if (variable == nullptr) add_mentioned(statement.target, &read);
    add_mentioned(statement.value, &read);
    add_mentioned(statement.begin, &read);
    if (variable != nullptr && !waits(statement.value)) read.erase(variable);
    if (variable != nullptr && waits(statement.value)) read.insert(variable);
    needed->merge(read);
    add_needed(statement.body, needed);
    add_needed(statement.other, needed);
  }
}

void add_constants(const Block& block, std::set<const Variable*>* constants) {
  for (const Statement& statement : block) {
    if (statement.kind == StatementKind::kLet) constants->insert(statement.variable);
    add_constants(statement.body, constants);
    add_constants(statement.other, constants);
  }
}

// What a statement without any is for: a loop or a condition around nothing.
bool is_empty(const Statement& statement) {
  const bool opens = statement.kind == StatementKind::kFor || statement.kind == StatementKind::kIf;
  return opens && statement.body.empty() && statement.other.empty() && !waits(statement.value);
}

void erase(const std::set<const Variable*>& unread, Block* block) {
  std::erase_if(*block, [&](Statement& statement) {
    if (const Variable* variable = given(statement)) return unread.count(variable) > 0;
    const bool was_empty = is_empty(statement);
    erase(unread, &statement.body);
    erase(unread, &statement.other);
    return !was_empty && is_empty(statement);
  });
}

}  // namespace

void drop_unread(std::set<const Variable*> carries, Block* block) {
  std::set<const Variable*> candidates = std::move(carries);
  add_constants(*block, &candidates);
  while (!candidates.empty()) {  // these, then also what only they read
    std::set<const Variable*> needed;
    add_needed(*block, &needed);
    std::erase_if(candidates, [&](const Variable* variable) { return needed.count(variable) > 0; });
    if (candidates.empty()) return;
    erase(candidates, block);
    std::erase_if(needed, [](const Variable* variable) { return variable->type.kind != CType::Kind::kValue; });
    candidates = std::move(needed);
  }
}

}  // namespace sinter
