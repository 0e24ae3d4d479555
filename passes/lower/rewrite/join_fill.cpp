#include "passes/lower/rewrite/join_fill.h"

#include <algorithm>

#include "passes/lower/rewrite/jam_loop.h"
#include "passes/lower/rewrite/mentions.h"
#include "passes/lower/rewrite/replace_expr.h"

namespace sinter {

namespace {

using StatementKind = Statement::Kind;
using ExprKind = Expr::Kind;

// Sums of one array that a thread keeps at a time.
constexpr int64_t kMostSums = 8;

bool mentions(const Statement& statement, const Variable* variable) {
  return sinter::mentions(Block{statement}, variable);
}

bool is_variable(const Expr* expr, const Variable* variable) {
  return expr->kind == ExprKind::kVariable && expr->variable == variable;
}

bool is_element(const Expr* expr, const Variable* array) {
  return expr->kind == ExprKind::kSubscript && is_variable(expr->operands[0], array);
}

// for (int i = 0; i < n; ++i), or by larger steps: n; 0 for other statements.
int64_t trips(const Statement& loop) {
  const bool counts = loop.kind == StatementKind::kFor && loop.begin->kind == ExprKind::kInteger &&
                      loop.begin->integer == 0 && loop.value->kind == ExprKind::kInteger;
  return counts ? loop.value->integer : 0;
}

// One array's loops: the one that fills it, and the one around its reductions.
class FillJoiner {
 public:
  FillJoiner(Kernel* kernel, Block* block, size_t declared)
      : kernel_(kernel), block_(block), declared_(declared), array_((*block)[declared].variable) {}

  void run() {
    if (find_fill() && find_reduction()) join();
  }

 private:
  // array[k] = ...; or, of a jammed loop, array[k + i] = ...; in its loop over i. Nothing else there mentions it.
  bool find_fill() {
    if (declared_ + 1 >= block_->size()) return false;
    Statement& fill = (*block_)[declared_ + 1];
    if (trips(fill) == 0) return false;
    Block* body = &fill.body;
    const Variable* number = nullptr;
    if (fill.step > 1) {
      if (body->empty() || trips(body->back()) != fill.step || body->back().step != 1) return false;
      number = body->back().variable;
      body = &body->back().body;
    }
    if (body->empty() || body->back().kind != StatementKind::kAssign || body->back().text != "=") return false;
    const Statement& last = body->back();
    if (!is_element(last.target, array_) || sinter::mentions(last.value, array_)) return false;
    const Expr* index = last.target->operands[1];
    const bool in_order = number == nullptr ? is_variable(index, fill.variable)
                                            : index->kind == ExprKind::kInfix && index->text == "+" &&
                                                  is_variable(index->operands[0], fill.variable) &&
                                                  is_variable(index->operands[1], number);
    Block before = fill.body;
    Block& innermost = number == nullptr ? before : before.back().body;
    innermost.pop_back();
    if (!in_order || sinter::mentions(before, array_)) return false;
    filled_ = body;
    return true;
  }

  // The loop whose every step sums up the array's elements, in order, from zero.
  bool find_reduction() {
    for (size_t i = declared_ + 2; i < block_->size(); ++i) {
      if (!mentions((*block_)[i], array_)) continue;
      if (reader_ != 0) return false;
      reader_ = i;
    }
    if (reader_ == 0) return false;
    const Statement& reader = (*block_)[reader_];
    if (trips(reader) == 0 || trips(reader) > kMostSums || reader.step != 1) return false;
    for (size_t i = 0; i < reader.body.size(); ++i) {
      if (!mentions(reader.body[i], array_)) continue;
      if (loop_ != kNowhere) return false;
      loop_ = i;
    }
    if (loop_ == kNowhere) return false;
    const Statement& loop = reader.body[loop_];
    if (trips(loop) != trips((*block_)[declared_ + 1]) || loop.step != 1 || loop.body.size() != 1) return false;
    const Statement& add = loop.body[0];
    if (add.kind != StatementKind::kAssign || add.target->kind != ExprKind::kVariable) return false;
    sum_ = add.target->variable;
    for (size_t i = 0; i < loop_; ++i) {
      const Statement& statement = reader.body[i];
      if (statement.variable != sum_ && !mentions(statement, sum_)) continue;
      if (start_ != kNowhere || statement.kind != StatementKind::kDeclare || !is_zero(statement.value)) return false;
      start_ = i;
    }
    return start_ != kNowhere && sum_->type.kind == CType::Kind::kValue && needs_no_other(add.value, reader, loop);
  }

  static bool is_zero(const Expr* value) {
    return value != nullptr && value->kind == ExprKind::kLiteral &&
           value->literal.same_value(Literal(value->literal.shape()));
  }

  // Whether a term can be computed in the fill loop: from the element, counters, and arrays that the kernel only reads.
  bool needs_no_other(const Expr* term, const Statement& reader, const Statement& loop) const {
    if (is_element(term, array_)) return is_variable(term->operands[1], loop.variable);
    if (term->kind == ExprKind::kVariable) {
      const Variable* variable = term->variable;
      return variable == sum_ || variable == loop.variable || variable == reader.variable ||
             variable->type.kind == CType::Kind::kConstPointer;
    }
    return std::all_of(term->operands.begin(), term->operands.end(),
                       [&](const Expr* part) { return needs_no_other(part, reader, loop); });
  }

  void join() {
    Statement& reader = (*block_)[reader_];
    const Statement loop = reader.body[loop_];
    const int64_t sums = trips(reader);
    CType element = sum_->type;
    Variable* sum = reader.body[start_].variable;
    sum->type.kind = CType::Kind::kArray;
    sum->type.length = sums;
    const auto sum_at = [&](const Expr* index) { return kernel_->subscript(kernel_->reference(sum), index, element); };

    // Behind what filled an element: a loop over the sums.
    Variable* array = (*block_)[declared_].variable;
    array->type.kind = CType::Kind::kValue;
    array->type.length = 0;
    Statement& filled = filled_->back();
    const Expr* place = filled.target->operands[1];
    filled = {.kind = StatementKind::kLet, .variable = array, .value = filled.value, .origin = filled.origin};
    Statement terms = {.kind = StatementKind::kFor};
    terms.variable = kernel_->variable(reader.variable->name, reader.variable->type);
    terms.begin = reader.begin;
    terms.value = reader.value;
    terms.unroll = Statement::kUnrollFully;
    terms.body = loop.body;
    replace_in(kernel_, &terms.body, [&](const Expr* expr, bool) -> const Expr* {
      if (is_element(expr, array)) return kernel_->reference(array);
      if (is_variable(expr, loop.variable)) return place;
      if (is_variable(expr, reader.variable)) return kernel_->reference(terms.variable);
      return is_variable(expr, sum) ? sum_at(kernel_->reference(terms.variable)) : nullptr;
    });
    for (Statement& statement : load_together(std::move(terms), sums)) filled_->push_back(std::move(statement));

    // Where the reductions stood, their results.
    const Statement start = reader.body[start_];
    reader.body.erase(reader.body.begin() + static_cast<std::ptrdiff_t>(loop_));
    reader.body.erase(reader.body.begin() + static_cast<std::ptrdiff_t>(start_));
    replace_in(kernel_, &reader.body, [&](const Expr* expr, bool) -> const Expr* {
      return is_variable(expr, sum) ? sum_at(kernel_->reference(reader.variable)) : nullptr;
    });
    reader.unroll = Statement::kUnrollFully;
    (*block_)[declared_] = {.kind = StatementKind::kDeclare,
                            .variable = sum,
                            .value = kernel_->braces({}, sum->type),
                            .origin = start.origin};
  }

  // All of a short loop's steps together, where that makes one load of several.
  Block load_together(Statement loop, int64_t sums) {
    Statement jammed = loop;
    if (!jam_loop(kernel_, sums, &jammed) || jammed.body.size() < 2) return {std::move(loop)};
    replace_in(kernel_, &jammed.body, [&](const Expr* expr, bool) -> const Expr* {
      return is_variable(expr, loop.variable) ? kernel_->integer(0) : nullptr;
    });
    return std::move(jammed.body);
  }

  static constexpr size_t kNowhere = -1;

  Kernel* kernel_;
  Block* block_;
  const size_t declared_;
  const Variable* array_;
  Block* filled_ = nullptr;  // ends with the assignment of an element
  size_t reader_ = 0;        // the loop around the reductions; in it:
  size_t start_ = kNowhere, loop_ = kNowhere;
  const Variable* sum_ = nullptr;
};

}  // namespace

void join_fills(Kernel* kernel, Block* block) {
  for (size_t i = 0; i < block->size(); ++i) {
    const Statement& statement = (*block)[i];
    const bool declares = statement.kind == StatementKind::kDeclare && statement.value == nullptr &&
                          statement.variable->type.kind == CType::Kind::kArray;
    if (declares) FillJoiner(kernel, block, i).run();
  }
}

}  // namespace sinter
