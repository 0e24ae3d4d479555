#include "passes/lower/rewrite/drop_unread.h"

namespace sinter {

namespace {

using StatementKind = Statement::Kind;

// What the statements say of variables.
struct Mentions {
  std::set<const Variable*> read;  // an assignment's own target is not read by it
  std::set<const Variable*> kept;  // a call that must stay gives it its value
};

class Finder {
 public:
  explicit Finder(Mentions* mentions) : mentions_(*mentions) {}

  void visit(const Block& block) {
    for (const Statement& statement : block) {
      const Variable* target = assigned_variable(statement);
      const Variable* result = sets_variable(statement) ? statement.variable : target;
      if (target == nullptr) read(statement.target, nullptr);
      waits_ = false;
      read(statement.value, target);
      if (waits_ && result != nullptr) mentions_.kept.insert(result);
      read(statement.begin, nullptr);
      visit(statement.body);
      visit(statement.other);
    }
  }

  static const Variable* assigned_variable(const Statement& statement) {
    const bool by_name = statement.kind == StatementKind::kAssign && statement.target->kind == Expr::Kind::kVariable;
    return by_name ? statement.target->variable : nullptr;
  }

  static bool sets_variable(const Statement& statement) {
    return statement.kind == StatementKind::kLet || statement.kind == StatementKind::kDeclare;
  }

 private:
  void read(const Expr* expr, const Variable* own) {
    if (expr == nullptr) return;
    waits_ |= expr->sync != Sync::kNone;
    if (expr->kind == Expr::Kind::kVariable && expr->variable != own) mentions_.read.insert(expr->variable);
    for (const Expr* operand : expr->operands) read(operand, own);
  }

  Mentions& mentions_;
  bool waits_ = false;
};

// What a statement without any is for: a loop or a condition around nothing.
bool is_empty(const Statement& statement) {
  const bool opens = statement.kind == StatementKind::kFor || statement.kind == StatementKind::kIf;
  return opens && statement.body.empty() && statement.other.empty();
}

void erase(const std::set<const Variable*>& unread, Block* block) {
  std::erase_if(*block, [&](Statement& statement) {
    const Variable* assigned = Finder::assigned_variable(statement);
    if (assigned != nullptr) return unread.count(assigned) > 0;
    if (Finder::sets_variable(statement)) return unread.count(statement.variable) > 0;
    const bool was_empty = is_empty(statement);
    erase(unread, &statement.body);
    erase(unread, &statement.other);
    return !was_empty && is_empty(statement);
  });
}

}  // namespace

void drop_unread(std::set<const Variable*> candidates, Block* block) {
  while (!candidates.empty()) {  // the carries, then also what only they read
    Mentions mentions;
    Finder(&mentions).visit(*block);
    std::set<const Variable*> unread;
    for (const Variable* variable : candidates) {
      if (mentions.read.count(variable) == 0 && mentions.kept.count(variable) == 0) unread.insert(variable);
    }
    if (unread.empty()) return;
    erase(unread, block);
    for (const Variable* variable : mentions.read) {
      if (variable->type.kind == CType::Kind::kValue) candidates.insert(variable);
    }
    for (const Variable* variable : unread) candidates.erase(variable);
  }
}

}  // namespace sinter
