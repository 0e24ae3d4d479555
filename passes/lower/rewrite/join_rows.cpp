#include "passes/lower/rewrite/join_rows.h"

#include <algorithm>
#include <functional>

#include "passes/lower/rewrite/mentions.h"
#include "passes/lower/rewrite/replace_expr.h"

namespace sinter {

namespace {

using StatementKind = Statement::Kind;
using ExprKind = Expr::Kind;

class RowJoiner {
 public:
  RowJoiner(Kernel* kernel, const Variable* counter) : kernel_(kernel), counter_(counter) {}

  // Loops over as many elements that need nothing of each other but the element are one.
  void join(Block* block) {
    for (Statement& statement : *block) {
      if (!is_loop(statement)) join(&statement.body);
      join(&statement.other);
    }
    for (size_t at = 0; at < block->size(); ++at) {
      if (!is_loop((*block)[at])) continue;
      for (size_t next = at + 1; next < block->size(); ++next) {
        const Statement& other = (*block)[next];
        if (other.kind == StatementKind::kDeclare) {
          const bool needs = std::ranges::any_of((*block)[at].body, [&](const Statement& step) {
            return other.value != nullptr && mentions(other.value, written(step));
          });
          if (needs) break;
          continue;  // it goes in front
        }
        Statement& loop = (*block)[at];
        const bool is_alike =
            is_loop(other) && same_expr(loop.begin, other.begin) && same_expr(loop.value, other.value);
        if (!is_alike || !may_follow(loop.body, other.body)) break;
        loop.body.insert(loop.body.end(), other.body.begin(), other.body.end());
        block->erase(block->begin() + static_cast<std::ptrdiff_t>(next));
        const auto first = block->begin() + static_cast<std::ptrdiff_t>(at);
        std::rotate(first, first + 1, block->begin() + static_cast<std::ptrdiff_t>(next));
        at = next - 1;
        next = at;
      }
    }
  }

  // An array of which only one loop has elements, each after it has made it, is a constant of the loop.
  void name_elements(Block* block) {
    for (Statement& statement : *block) {
      if (!is_loop(statement)) name_elements(&statement.body);
      name_elements(&statement.other);
    }
    for (size_t at = 0; at < block->size(); ++at) {
      if (!is_loop((*block)[at])) continue;
      for (size_t s = 0; s < (*block)[at].body.size(); ++s) {
        Statement& fill = (*block)[at].body[s];
        const Variable* array = written(fill);
        if (fill.text != "=" || array == nullptr || array->type.kind != CType::Kind::kArray) continue;
        const auto declares = [&](const Statement& statement) {
          return statement.kind == StatementKind::kDeclare && statement.variable == array;
        };
        const auto declared = std::ranges::find_if(*block, declares);
        if (declared == block->end() || !is_by_element((*block)[at].body, array) || mentions(fill.value, array))
          continue;
        Block others;
        for (size_t other = 0; other < block->size(); ++other) {
          if (other != at) others.push_back((*block)[other]);
        }
        const Block before((*block)[at].body.begin(), (*block)[at].body.begin() + static_cast<std::ptrdiff_t>(s));
        const Block after((*block)[at].body.begin() + static_cast<std::ptrdiff_t>(s) + 1, (*block)[at].body.end());
        const auto rewrites = [&](const Statement& statement) { return written(statement) == array; };
        if (mentions(others, array) || mentions(before, array) || std::ranges::any_of(after, rewrites)) continue;
        Variable* value = kernel_->variable(array->name, CType::value(array->type.dtype), array->origin);
        fill = {.kind = StatementKind::kLet, .variable = value, .value = fill.value, .origin = array->origin};
        replace_in(kernel_, &(*block)[at].body, [&](const Expr* expr, bool) -> const Expr* {
          const bool is_element = expr->kind == ExprKind::kSubscript && expr->operands[0]->variable == array;
          return is_element ? kernel_->reference(value) : nullptr;
        });
        const auto place = static_cast<size_t>(declared - block->begin());
        block->erase(declared);
        if (place < at) --at;
      }
    }
  }

 private:
  bool is_loop(const Statement& statement) const {
    return statement.kind == StatementKind::kFor && statement.variable == counter_;
  }

  // Whether the statements read and write an array at the element that the loop counts, and nowhere else.
  bool is_by_element(const Block& block, const Variable* array) const {
    bool by_element = true;
    const std::function<void(const Expr*)> visit = [&](const Expr* expr) {
      if (expr == nullptr) return;
      if (expr->kind == ExprKind::kVariable) by_element &= expr->variable != array;
      const bool is_element = expr->kind == ExprKind::kSubscript && expr->operands[0]->variable == array &&
                              expr->operands[1]->variable == counter_;
      if (is_element) return;
      for (const Expr* part : expr->operands) visit(part);
    };
    for (const Statement& statement : block) {
      visit(statement.target);
      visit(statement.value);
      by_element &= statement.body.empty() && statement.other.empty();
    }
    return by_element;
  }

  static const Variable* written(const Statement& statement) {
    if (statement.kind != StatementKind::kAssign) return nullptr;
    return statement.target->kind == ExprKind::kSubscript ? statement.target->operands[0]->variable
                                                          : statement.target->variable;
  }

  bool may_follow(const Block& first, const Block& second) const {
    const auto is_free = [&](const Block& writes, const Block& other) {
      return std::ranges::all_of(writes, [&](const Statement& statement) {
        const Variable* changed = written(statement);
        // Pointers may be to one array.
        const bool is_own = changed != nullptr &&
                            (changed->type.kind == CType::Kind::kValue || changed->type.kind == CType::Kind::kArray);
        return is_own && (!mentions(other, changed) || is_by_element(other, changed));
      });
    };
    return is_free(first, second) && is_free(second, first);
  }

  Kernel* kernel_;
  const Variable* counter_;
};

}  // namespace

void join_rows(Kernel* kernel, const Variable* counter, Block* block) {
  RowJoiner joiner(kernel, counter);
  joiner.join(block);
  joiner.name_elements(block);
}

}  // namespace sinter
