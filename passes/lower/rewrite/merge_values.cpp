#include "passes/lower/rewrite/merge_values.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "passes/lower/rewrite/mentions.h"
#include "passes/lower/rewrite/replace_expr.h"

namespace sinter {

namespace {

using StatementKind = Statement::Kind;

bool is_value(const CType& type) { return type.kind == CType::Kind::kValue; }

// kRows, INFINITY, threadIdx.x: what is no variable, whose names come later.
bool is_constant_name(const std::string& name) {
  const auto is_upper = [](char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; };
  return is_upper(name[0]) || (name.size() > 1 && name[0] == 'k' && is_upper(name[1])) || name.ends_with("Idx.x");
}

// Whether it comes to the same wherever its variables are what they were.
bool depends_on_values_alone(const Expr* expr) {
  switch (expr->kind) {
    case Expr::Kind::kLiteral:
    case Expr::Kind::kInteger:
      return true;
    case Expr::Kind::kVariable:
    case Expr::Kind::kInfix:
    case Expr::Kind::kConditional:
    case Expr::Kind::kCast:
      break;
    case Expr::Kind::kName:
      if (!is_constant_name(expr->text)) return false;
      break;
    case Expr::Kind::kPrefix:
      if (expr->text == "&" || expr->text == "*") return false;
      break;
    case Expr::Kind::kCall:
      if (expr->sync != Sync::kNone) return false;
      break;
    default:
      return false;
  }
  return is_value(expr->type) && std::ranges::all_of(expr->operands, depends_on_values_alone);
}

// Equal of expressions that are the same.
size_t hash_of(const Expr* expr) {
  constexpr size_t kFactor = 31;
  size_t hash = static_cast<size_t>(expr->kind) + std::hash<std::string>()(expr->text) +
                std::hash<const Variable*>()(expr->variable) + static_cast<size_t>(expr->integer);
  for (const Expr* operand : expr->operands) hash = hash * kFactor + hash_of(operand);
  return hash;
}

// Of calls, what is no number, or whose address they are given.
void add_given(const Expr* expr, std::set<const Variable*>* assigned) {
  if (expr == nullptr) return;
  const bool is_address = expr->kind == Expr::Kind::kPrefix && expr->text == "&";
  for (const Expr* operand : expr->operands) {
    if (is_address || (expr->kind == Expr::Kind::kCall && !is_value(operand->type))) add_mentioned(operand, assigned);
    add_given(operand, assigned);
  }
}

// Variables that a statement may give a value to that it does not declare.
void add_assigned(const Statement& statement, std::set<const Variable*>* assigned) {
  if (statement.kind == StatementKind::kAssign) add_mentioned(statement.target, assigned);
  if (statement.kind == StatementKind::kExpression) add_mentioned(statement.value, assigned);
  for (const Expr* expr : {statement.target, statement.value, statement.begin}) add_given(expr, assigned);
  for (const Statement& inner : statement.body) add_assigned(inner, assigned);
  for (const Statement& inner : statement.other) add_assigned(inner, assigned);
}

bool has_text(const Block& block) {
  return std::ranges::any_of(block, [](const Statement& statement) {
    return statement.kind == StatementKind::kText || statement.kind == StatementKind::kScope ||
           has_text(statement.body) || has_text(statement.other);
  });
}

class Merger {
 public:
  explicit Merger(Kernel* kernel) : kernel_(*kernel) {}

  void merge(Block* block) {
    const size_t around = known_.size();
    std::erase_if(*block, [&](Statement& statement) { return merge(&statement); });
    // What the block has declared is gone.
    if (known_.size() > around) known_.resize(around);
  }

  const std::map<const Variable*, Variable*>& same() const { return same_; }

  // Comments that say which values follow, without those that do not.
  void correct_comments(Block* block) {
    std::erase_if(*block, [&](Statement& statement) {
      correct_comments(&statement.body);
      correct_comments(&statement.other);
      if (statement.kind != StatementKind::kComment || statement.value == nullptr) return false;
      std::vector<const Expr*> left = statement.value->operands;
      std::erase_if(left, [&](const Expr* value) { return same_.count(value->variable) > 0; });
      if (left.size() == statement.value->operands.size()) return false;
      if (left.empty() && statement.text.empty()) return true;
      statement.value = kernel_.with_operands(*statement.value, std::move(left));
      return false;
    });
    // A paragraph of which nothing is left.
    const auto is_blank = [](const Statement& statement) { return statement.kind == StatementKind::kBlank; };
    const auto both_blank = [&](const Statement& a, const Statement& b) { return is_blank(a) && is_blank(b); };
    block->erase(std::unique(block->begin(), block->end(), both_blank), block->end());
  }

 private:
  struct Known {
    Variable* variable = nullptr;  // nullptr: what it was computed of has changed
    const Expr* value = nullptr;
  };

  void forget(const std::set<const Variable*>& assigned) {
    for (const Variable* variable : assigned) {
      const auto readers = readers_.find(variable);
      if (readers == readers_.end()) continue;
      for (const size_t reader : readers->second) {
        if (reader < known_.size()) known_[reader].variable = nullptr;
      }
      readers_.erase(readers);
    }
  }

  const Expr* with_first(const Expr* expr) {
    return replaced(&kernel_, expr, [&](const Expr* inner, bool) -> const Expr* {
      if (inner->kind != Expr::Kind::kVariable) return nullptr;
      const auto same = same_.find(inner->variable);
      return same == same_.end() ? nullptr : kernel_.reference(same->second);
    });
  }

  Variable* find(const Expr* value) const {
    const auto alike = alike_.find(hash_of(value));
    if (alike == alike_.end()) return nullptr;
    for (const size_t i : alike->second) {
      const bool is_known = i < known_.size() && known_[i].variable != nullptr;
      if (is_known && same_expr(known_[i].value, value)) return known_[i].variable;
    }
    return nullptr;
  }

  // What stands in it, of values of the program that have a variable.
  const Expr* with_known(const Expr* expr, bool is_whole) {
    if (expr == nullptr || expr->operands.empty()) return expr;
    std::vector<const Expr*> operands;
    for (const Expr* operand : expr->operands) operands.push_back(with_known(operand, false));
    if (operands != expr->operands) expr = kernel_.with_operands(*expr, std::move(operands));
    if (is_whole || !is_float(expr->type.dtype) || !depends_on_values_alone(expr)) return expr;
    const Variable* known = find(expr);
    return known == nullptr || known->type != expr->type ? expr : kernel_.reference(known);
  }

  // True if the statement's value has a variable already.
  bool merge(Statement* statement) {
    if (statement->kind == StatementKind::kComment) return false;  // of what comes
    statement->target = with_first(statement->target);
    statement->value = with_known(with_first(statement->value), statement->kind == StatementKind::kLet);
    statement->begin = with_first(statement->begin);
    std::set<const Variable*> assigned;
    add_assigned(*statement, &assigned);
    forget(assigned);
    if (!statement->body.empty()) merge(&statement->body);
    if (!statement->other.empty()) merge(&statement->other);
    if (statement->kind != StatementKind::kLet || !is_value(statement->variable->type)) return false;
    if (statement->value->operands.empty() || !depends_on_values_alone(statement->value)) return false;
    Variable* same = find(statement->value);
    if (same != nullptr && same->type == statement->variable->type) {
      same_[statement->variable] = same;
      return true;
    }
    alike_[hash_of(statement->value)].push_back(known_.size());
    std::set<const Variable*> read;
    add_mentioned(statement->value, &read);
    for (const Variable* variable : read) readers_[variable].push_back(known_.size());
    known_.push_back({statement->variable, statement->value});
    return false;
  }

  Kernel& kernel_;
  std::vector<Known> known_;                                // of the blocks around, and so far of this one
  std::unordered_map<size_t, std::vector<size_t>> alike_;   // by hash; of blocks that have ended, too
  std::map<const Variable*, std::vector<size_t>> readers_;  // likewise
  std::map<const Variable*, Variable*> same_;
};

}  // namespace

std::map<const Variable*, Variable*> merge_values(Kernel* kernel, Block* block) {
  if (has_text(*block)) return {};
  Merger merger(kernel);
  merger.merge(block);
  if (!merger.same().empty()) merger.correct_comments(block);
  return merger.same();
}

}  // namespace sinter
