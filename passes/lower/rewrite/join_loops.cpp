#include "passes/lower/rewrite/join_loops.h"

#include <algorithm>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "passes/lower/rewrite/mentions.h"
#include "passes/lower/rewrite/replace_expr.h"

namespace sinter {

namespace {

using StatementKind = Statement::Kind;
using ExprKind = Expr::Kind;

// Sums of one loop, which are in registers at a time. What else a step computes is there for the step alone.
constexpr size_t kMostJoinedSums = 8;

// Puts `to` wherever `from` stands.
void replace_in(Kernel* kernel, Block* block, const Expr* from, const Expr* to) {
  sinter::replace_in(kernel, block, [&](const Expr* expr, bool) { return same_expr(expr, from) ? to : nullptr; });
}

// A title of a paragraph, or the line above it.
bool is_layout(const Statement& statement) {
  return statement.kind == StatementKind::kBlank ||
         (statement.kind == StatementKind::kComment && statement.value == nullptr);
}

// Sums of a thread's own, and constants for them: no step of such a loop is seen by another thread, nor sees one.
bool is_sums(const Statement& statement) {
  if (is_layout(statement)) return true;
  switch (statement.kind) {
    case StatementKind::kLet:
      return !waits(statement.value);
    case StatementKind::kAssign:
      return statement.target->kind == ExprKind::kVariable && !waits(statement.value);
    default:
      return false;
  }
}

bool is_loop_of_sums(const Statement& statement) {
  return statement.kind == StatementKind::kFor && std::all_of(statement.body.begin(), statement.body.end(), is_sums);
}

// A constant, or what a sum begins with: neither writes memory nor waits.
bool is_constant(const Statement& statement) {
  const bool declares = statement.kind == StatementKind::kLet || statement.kind == StatementKind::kDeclare;
  return declares && statement.value != nullptr && !waits(statement.value);
}

// What the statements give a value to.
std::vector<const Variable*> assigned_in(const Block& block) {
  std::vector<const Variable*> variables;
  for (const Statement& statement : block) {
    if (is_layout(statement)) continue;
    variables.push_back(statement.kind == StatementKind::kAssign ? statement.target->variable : statement.variable);
  }
  return variables;
}

size_t sums_of(const Block& block) {
  std::set<const Variable*> sums;
  for (const Statement& statement : block) {
    if (statement.kind == StatementKind::kAssign) sums.insert(statement.target->variable);
  }
  return sums.size();
}

using Variables = std::set<const Variable*>;

void add_mentioned(const Statement& statement, Variables* variables) {
  for (const Expr* expr : {statement.target, statement.value, statement.begin}) add_mentioned(expr, variables);
  for (const Block* block : {&statement.body, &statement.other}) {
    for (const Statement& inner : *block) add_mentioned(inner, variables);
  }
}

Variables mentioned_in(const Statement& statement) {
  Variables variables;
  add_mentioned(statement, &variables);
  return variables;
}

Variables mentioned_in(const Block& block) {
  Variables variables;
  for (const Statement& statement : block) add_mentioned(statement, &variables);
  return variables;
}

bool has_any(const Variables& all, const std::vector<const Variable*>& wanted) {
  return std::ranges::any_of(wanted, [&](const Variable* variable) { return all.contains(variable); });
}

// Whether the expression may be had without its operands behind the first.
bool skips_operands(const Expr& expr) {
  return expr.kind == ExprKind::kConditional ||
         (expr.kind == ExprKind::kInfix && (expr.text == "&&" || expr.text == "||"));
}

// Elements that every step loads.
void find_loads(const Expr* expr, std::vector<const Expr*>* loads) {
  if (expr->kind == ExprKind::kSubscript) {
    loads->push_back(expr);
    return;
  }
  const bool may_skip = skips_operands(*expr);
  for (size_t i = 0; i < expr->operands.size(); ++i) {
    if (i == 0 || !may_skip) find_loads(expr->operands[i], loads);
  }
}

std::vector<const Expr*> loads_of(const Block& block) {
  std::vector<const Expr*> loads;
  for (const Statement& statement : block) {
    if (!is_layout(statement)) find_loads(statement.value, &loads);
  }
  return loads;
}

const Expr* find_equal(const std::vector<const Expr*>& all, const Expr* wanted) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const Expr* expr) { return same_expr(expr, wanted); });
  return found == all.end() ? nullptr : *found;
}

int operations(const Expr* expr) {
  if (expr->kind == ExprKind::kSubscript) return 0;
  int count = expr->operands.empty() ? 0 : 1;
  for (const Expr* operand : expr->operands) count += operations(operand);
  return count;
}

// What the value of a sum is made of that every step computes, from the whole on; a part of what `found` takes is not
// asked for. `around` is what it stands in.
template <class Found>
void visit_parts(const Expr* expr, const Expr* around, const Found& found) {
  if (expr->kind == ExprKind::kSubscript || found(expr, around)) return;
  const bool may_skip = skips_operands(*expr);
  for (size_t i = 0; i < expr->operands.size(); ++i) {
    if (i == 0 || !may_skip) visit_parts(expr->operands[i], expr, found);
  }
}

// A part of a sum's value, and what that is in it: a factor of a product or a term.
struct Part {
  const Expr* expr = nullptr;
  std::string name;
};

// Parts of the first statement's value that another statement computes too. None reads `sums`.
std::vector<Part> parts_again(std::span<const Statement> statements, const std::vector<const Variable*>& sums) {
  constexpr int kFewest = 2;  // operations: a load and its conversion read as one value
  std::vector<Part> again;
  const auto is_again = [&](const Expr* part, const Expr* around) {
    const auto is_read = [&](const Variable* sum) { return mentions(part, sum); };
    if (operations(part) < kFewest || std::ranges::any_of(sums, is_read)) return false;
    const auto computes_it = [&](const Statement& other) {
      bool found = false;
      const auto compare = [&](const Expr* expr, const Expr*) { return found |= same_expr(expr, part); };
      if (other.kind == StatementKind::kAssign) visit_parts(other.value, nullptr, compare);
      return found;
    };
    if (std::none_of(statements.begin() + 1, statements.end(), computes_it)) return false;
    const bool multiplies = around != nullptr && (around->text == "*" || around->text.starts_with("fma"));
    again.push_back({part, multiplies && around->operands.back() != part ? "factor" : "term"});
    return true;
  };
  visit_parts(statements[0].value, nullptr, is_again);
  return again;
}

// What several sums of the loop compute of one step's values is computed once, where the first of them needs it.
void name_parts(Kernel* kernel, Statement* loop) {
  std::vector<const Variable*> sums;
  for (const Statement& statement : loop->body) {
    if (statement.kind == StatementKind::kAssign) sums.push_back(statement.target->variable);
  }
  Block body;
  Block left = std::move(loop->body);  // behind those in `body`
  while (!left.empty()) {
    if (left[0].kind == StatementKind::kAssign) {
      for (const Part& part : parts_again(left, sums)) {
        Variable* value = kernel->variable(part.name, part.expr->type);
        replace_in(kernel, &left, part.expr, kernel->reference(value));
        body.push_back({.kind = StatementKind::kLet, .variable = value, .value = part.expr});
      }
    }
    body.push_back(std::move(left[0]));
    left.erase(left.begin());
  }
  loop->body = std::move(body);
}

// What several sums of the loop load of an array that is only read gets a name.
void name_loads(Kernel* kernel, Statement* loop) {
  std::vector<const Expr*> seen;
  std::vector<const Expr*> shared;
  for (const Expr* load : loads_of(loop->body)) {
    const Expr* base = load->operands[0];
    const bool is_read_only =
        base->kind == ExprKind::kVariable && base->variable->type.kind == CType::Kind::kConstPointer;
    const bool is_again = find_equal(seen, load) != nullptr;
    if (is_read_only && is_again && find_equal(shared, load) == nullptr) shared.push_back(load);
    seen.push_back(load);
  }
  const std::vector<const Variable*> own = assigned_in(loop->body);
  Block lets;
  for (const Expr* load : shared) {
    const Variable* array = load->operands[0]->variable;
    const auto is_read = [&](const Variable* variable) { return mentions(load, variable); };
    if (std::any_of(own.begin(), own.end(), is_read)) continue;
    std::string name = array->name.ends_with("_in") ? array->name.substr(0, array->name.size() - 3) : array->name;
    Variable* value = kernel->variable(name + "_value", load->type, array->origin);
    replace_in(kernel, &loop->body, load, kernel->reference(value));
    lets.push_back({.kind = StatementKind::kLet, .variable = value, .value = load, .origin = array->origin});
  }
  if (!lets.empty() && is_layout(loop->body.front())) lets.push_back({.kind = StatementKind::kBlank});
  loop->body.insert(loop->body.begin(), lets.begin(), lets.end());
}

// Constants of `body` that are equal to one of `known` are that one.
void share_constants(Kernel* kernel, const Block& known, Block* body) {
  for (size_t i = 0; i < body->size();) {
    const Statement& own = (*body)[i];
    const auto is_equal = [&](const Statement& other) {
      return own.kind == StatementKind::kLet && other.kind == StatementKind::kLet &&
             own.variable->type == other.variable->type && same_expr(own.value, other.value);
    };
    const auto equal = std::find_if(known.begin(), known.end(), is_equal);
    if (equal == known.end()) {
      ++i;
      continue;
    }
    const Variable* variable = own.variable;
    body->erase(body->begin() + static_cast<std::ptrdiff_t>(i));
    replace_in(kernel, body, kernel->reference(variable), kernel->reference(equal->variable));
  }
}

// Puts statements behind those of a block, under their titles where these are others.
void append(Block* block, const Block& added) {
  const auto opens_paragraph = [](const Statement& statement) {
    return is_layout(statement) && !statement.text.empty();
  };
  std::string title;
  for (const Statement& statement : *block) {
    if (opens_paragraph(statement)) title = statement.text;
  }
  const Statement* next = nullptr;
  for (const Statement& statement : added) {
    if (opens_paragraph(statement)) next = &statement;
    if (is_layout(statement)) continue;
    if (next != nullptr && next->text != title) {
      block->push_back({.kind = StatementKind::kBlank});
      block->push_back(*next);
      title = next->text;
    }
    block->push_back(statement);
  }
}

bool have_same_steps(const Statement& first, const Statement& second) {
  return same_expr(first.begin, second.begin) && same_expr(first.value, second.value) && first.step == second.step &&
         first.unroll == second.unroll && first.text == second.text && first.variable->type == second.variable->type;
}

// The second loop's body in the first, of the same steps, where they need nothing of each other, and load the same
// element.
bool join(Kernel* kernel, Statement* first, const Statement& second) {
  if (sums_of(first->body) + sums_of(second.body) > kMostJoinedSums) return false;
  if (has_any(mentioned_in(second.body), assigned_in(first->body)) ||
      has_any(mentioned_in(first->body), assigned_in(second.body)))
    return false;
  Block body = second.body;
  replace_in(kernel, &body, kernel->reference(second.variable), kernel->reference(first->variable));
  const std::vector<const Expr*> loads = loads_of(first->body);
  const std::vector<const Expr*> others = loads_of(body);
  const auto is_shared = [&](const Expr* load) {
    return mentions(load, first->variable) && find_equal(loads, load) != nullptr;
  };
  if (std::none_of(others.begin(), others.end(), is_shared)) return false;
  share_constants(kernel, first->body, &body);
  append(&first->body, body);
  return true;
}

}  // namespace

void join_loops(Kernel* kernel, Block* block) {
  std::vector<std::optional<Variables>> mentioned(block->size());  // by the block's statements, once asked for
  const auto mentioned_by = [&](size_t statement) -> const Variables& {
    std::optional<Variables>& variables = mentioned[statement];
    if (!variables) variables = mentioned_in((*block)[statement]);
    return *variables;
  };
  for (size_t at = 0; at < block->size(); ++at) {
    if (!is_loop_of_sums((*block)[at])) continue;
    bool joined = false;
    for (size_t next = at + 1; next < block->size();) {
      if (is_constant((*block)[next])) {
        ++next;
        continue;
      }
      if (!is_loop_of_sums((*block)[next])) break;
      const std::vector<const Variable*> sums = assigned_in((*block)[next].body);
      const auto is_its_beginning = [&](const Statement& statement) {
        return statement.kind == StatementKind::kDeclare && statement.value->kind == ExprKind::kLiteral &&
               std::ranges::count(sums, statement.variable) > 0;
      };
      // Whether the loop has to stay behind the statement, a constant or another loop.
      const auto is_needed = [&](size_t number) {
        const Statement& statement = (*block)[number];
        if (is_its_beginning(statement)) return false;
        const bool is_loop = statement.kind == StatementKind::kFor;
        const std::vector<const Variable*> made =
            is_loop ? assigned_in(statement.body) : std::vector<const Variable*>{statement.variable};
        return has_any(mentioned_by(next), made) || has_any(mentioned_by(number), sums);
      };
      const auto first = block->begin() + static_cast<std::ptrdiff_t>(at);
      const auto last = block->begin() + static_cast<std::ptrdiff_t>(next);
      size_t before = at + 1;
      const bool same_steps = have_same_steps(*first, *last);
      while (same_steps && before < next && !is_needed(before)) ++before;
      if (!same_steps || before < next || !join(kernel, &*first, *last)) {
        ++next;
        continue;
      }
      // What its sums begin with comes before the loop.
      const auto loop = std::stable_partition(first, last, is_its_beginning);
      for (size_t moved = at; moved < next; ++moved) mentioned[moved].reset();
      mentioned.erase(mentioned.begin() + static_cast<std::ptrdiff_t>(next));
      at = static_cast<size_t>(loop - block->begin());
      block->erase(last);
      joined = true;
    }
    if (!joined) continue;
    name_parts(kernel, &(*block)[at]);
    name_loads(kernel, &(*block)[at]);
  }
}

}  // namespace sinter
