#include "passes/lower/rewrite/jam_loop.h"

#include <algorithm>
#include <bit>
#include <set>

#include "passes/lower/rewrite/mentions.h"
#include "passes/lower/rewrite/replace_expr.h"

namespace sinter {

namespace {

using StatementKind = Statement::Kind;

bool is_straight(const Statement& statement) {
  switch (statement.kind) {
    case StatementKind::kLet:
    case StatementKind::kDeclare:
      return statement.variable->type.kind == CType::Kind::kValue;
    case StatementKind::kAssign:
    case StatementKind::kExpression:
    case StatementKind::kComment:
    case StatementKind::kBlank:
      return true;
    case StatementKind::kIf:
      return std::all_of(statement.body.begin(), statement.body.end(), is_straight) &&
             std::all_of(statement.other.begin(), statement.other.end(), is_straight);
    default:
      return false;
  }
}

bool is_zero(const Expr* value) {
  return value->kind == Expr::Kind::kLiteral && value->literal.same_value(Literal(value->literal.shape()));
}

class Jammer {
 public:
  Jammer(Kernel& kernel, int64_t width, const Variable* counter) : kernel_(kernel), width_(width), counter_(counter) {}

  bool can_jam(const Block& body) const {
    return std::all_of(body.begin(), body.end(), [&](const Statement& statement) {
      if (statement.kind != StatementKind::kFor) return is_straight(statement);
      return statement.begin->kind == Expr::Kind::kInteger && statement.value->kind == Expr::Kind::kInteger &&
             can_jam(statement.body);
    });
  }

  // Straight statements of the body are runs, each a loop over the iterations; loops are between them.
  Block jam(const Block& body) {
    own_.clear();
    collect_own(body);
    return jam_runs(body);
  }

 private:
  void collect_own(const Block& body) {
    for (const Statement& statement : body) {
      if (statement.variable != nullptr && statement.kind != StatementKind::kFor) own_.insert(statement.variable);
      collect_own(statement.body);
      collect_own(statement.other);
    }
  }

  Block jam_runs(const Block& body) {
    Block result;
    for (size_t first = 0; first < body.size();) {
      if (body[first].kind == StatementKind::kFor) {
        Statement loop = body[first++];
        loop.body = jam_runs(loop.body);
        result.push_back(std::move(loop));
        continue;
      }
      size_t end = first;
      while (end < body.size() && body[end].kind != StatementKind::kFor) ++end;
      jam_run(body, first, end, &result);
      first = end;
    }
    return result;
  }

  // Variables that statements beyond the run read are arrays.
  void jam_run(const Block& body, size_t first, size_t end, Block* result) {
    for (size_t i = first; i < end; ++i) {
      const Statement& statement = body[i];
      const bool declares = statement.kind == StatementKind::kLet || statement.kind == StatementKind::kDeclare;
      if (!declares ||
          !mentions(Block(body.begin() + static_cast<std::ptrdiff_t>(end), body.end()), statement.variable))
        continue;
      arrays_.insert(statement.variable);
      statement.variable->type.kind = CType::Kind::kArray;
      statement.variable->type.length = width_;
      Statement array = {.kind = StatementKind::kDeclare, .variable = statement.variable};
      if (statement.value != nullptr && is_zero(statement.value))
        array.value = kernel_.braces({}, statement.variable->type);
      array.origin = statement.origin;
      result->push_back(std::move(array));
    }
    Statement loop;
    loop.kind = StatementKind::kFor;
    loop.variable = kernel_.variable("i", CType::value(DType::kS32));
    loop.begin = kernel_.integer(0);
    loop.value = kernel_.integer(width_);
    loop.unroll = Statement::kUnrollFully;
    number_ = loop.variable;
    loads_.clear();
    bool empty = true;
    for (size_t i = first; i < end; ++i) {
      const Statement& statement = body[i];
      const bool array = statement.variable != nullptr && arrays_.count(statement.variable) > 0;
      if (array && (statement.value == nullptr || is_zero(statement.value))) continue;
      Statement jammed = statement;
      if (array) {
        jammed = {.kind = StatementKind::kAssign, .value = statement.value, .text = "=", .origin = statement.origin};
        jammed.target = kernel_.reference(statement.variable);
      }
      empty &= jammed.kind == StatementKind::kBlank || jammed.kind == StatementKind::kComment;
      loop.body.push_back(std::move(jammed));
    }
    replace_in(&kernel_, &loop.body, [&](const Expr* expr, bool maybe) { return in_iteration(expr, maybe); });
    for (const Load& load : loads_) {
      const Expr* place = kernel_.infix(kernel_.reference(load.pointer), "+", load.index, load.pointer->type);
      const Expr* value = kernel_.call("load_vector<" + std::to_string(width_) + ">", {place}, load.variable->type);
      result->push_back({.kind = StatementKind::kLet, .variable = load.variable, .value = value});
      kernel_.headers.insert("device/vector_access.cuh");
    }
    if (empty) {
      result->insert(result->end(), loop.body.begin(), loop.body.end());
    } else {
      result->push_back(std::move(loop));
    }
  }

  // What stands for the expression in iteration counter + i; nullptr: it may stay.
  const Expr* in_iteration(const Expr* expr, bool maybe) {
    if (expr->kind == Expr::Kind::kVariable) {
      if (expr->variable == counter_) return kernel_.infix(expr, "+", kernel_.reference(number_), expr->type);
      return arrays_.count(expr->variable) > 0 ? element(expr->variable) : nullptr;
    }
    return !maybe && expr->kind == Expr::Kind::kSubscript ? neighbour(expr) : nullptr;
  }

  const Expr* element(const Variable* array) {
    CType type = array->type;
    type.kind = CType::Kind::kValue;
    type.length = 0;
    return kernel_.subscript(kernel_.reference(array), kernel_.reference(number_), type);
  }

  // Of an array that is only read, the element beside those that the other iterations read: one load for all.
  const Expr* neighbour(const Expr* subscript) {
    const Expr *base = subscript->operands[0], *index = subscript->operands[1];
    const bool array = base->kind == Expr::Kind::kVariable && base->variable->type.kind == CType::Kind::kConstPointer;
    if (!array || dtype_bits(base->variable->type.dtype) < 8 || !is_counter_and_multiple(index)) return nullptr;
    const bool is_access = std::has_single_bit(static_cast<uint64_t>(width_));
    if (!is_access || dtype_bytes(base->variable->type.dtype) * width_ > 16) return nullptr;
    const auto same = [&](const Load& load) { return load.pointer == base->variable && same_expr(load.index, index); };
    auto load = std::find_if(loads_.begin(), loads_.end(), same);
    if (load == loads_.end()) {
      CType type = CType::value(base->variable->type.dtype);
      type.kind = CType::Kind::kVector;
      type.length = width_;
      loads_.push_back({base->variable, index, kernel_.variable(base->variable->name + "_values", type)});
      load = loads_.end() - 1;
    }
    return kernel_.subscript(kernel_.reference(load->variable), kernel_.reference(number_), subscript->type);
  }

  // counter + n * width, for an n that is the same in all iterations.
  bool is_counter_and_multiple(const Expr* index) const {
    if (index->kind == Expr::Kind::kVariable) return index->variable == counter_;
    if (index->kind != Expr::Kind::kInfix || index->text != "+") return false;
    const Expr *a = index->operands[0], *b = index->operands[1];
    return (is_counter_and_multiple(a) && is_multiple(b)) || (is_multiple(a) && is_counter_and_multiple(b));
  }
  bool is_multiple(const Expr* value) const {
    if (value->kind == Expr::Kind::kInteger) return value->integer % width_ == 0;
    if (value->kind != Expr::Kind::kInfix) return false;
    const Expr *a = value->operands[0], *b = value->operands[1];
    if (value->text == "+") return is_multiple(a) && is_multiple(b);
    return value->text == "*" && ((is_multiple(a) && is_shared(b)) || (is_multiple(b) && is_shared(a)));
  }
  // Nothing in it differs from iteration to iteration.
  bool is_shared(const Expr* value) const {
    if (value->kind == Expr::Kind::kVariable) return value->variable != counter_ && own_.count(value->variable) == 0;
    return std::all_of(value->operands.begin(), value->operands.end(),
                       [&](const Expr* part) { return is_shared(part); });
  }

  struct Load {
    const Variable* pointer;
    const Expr* index;
    Variable* variable;
  };

  Kernel& kernel_;
  const int64_t width_;
  const Variable* counter_;
  std::set<const Variable*> own_;     // declared in the body
  std::set<const Variable*> arrays_;  // of them, those with an element an iteration
  const Variable* number_ = nullptr;  // of the iteration, in the run at hand
  std::vector<Load> loads_;           // of the run at hand
};

}  // namespace

bool jam_loop(Kernel* kernel, int64_t width, Statement* loop) {
  const bool counts = loop->kind == StatementKind::kFor && loop->begin->kind == Expr::Kind::kInteger &&
                      loop->begin->integer == 0 && loop->value->kind == Expr::Kind::kInteger && loop->step == 1;
  Jammer jammer(*kernel, width, loop->variable);
  if (!counts || loop->value->integer % width != 0 || !jammer.can_jam(loop->body)) return false;
  loop->body = jammer.jam(loop->body);
  loop->step = width;
  return true;
}

}  // namespace sinter
