#include "passes/lower/rewrite/needless_barriers.h"

#include <algorithm>

#include "passes/analysis/values/hardware.h"

namespace sinter {

namespace {

bool is_barrier(const Statement& statement) {
  return statement.kind == Statement::Kind::kExpression && statement.value->kind == Expr::Kind::kCall &&
         statement.value->text == "__syncthreads";
}

// The array of shared memory that a statement writes this thread's element of; empty if it does not.
std::string shared_by(const Statement& statement) {
  const bool writes = statement.kind == Statement::Kind::kAssign && statement.target->kind == Expr::Kind::kSubscript &&
                      statement.target->operands[0]->kind == Expr::Kind::kMember;
  return writes ? statement.target->operands[0]->text : "";
}

bool reads(const Expr* expr, const std::string& array) {
  if (expr == nullptr) return false;
  if (expr->kind == Expr::Kind::kMember && expr->text == array) return true;
  return std::any_of(expr->operands.begin(), expr->operands.end(),
                     [&](const Expr* part) { return reads(part, array); });
}

bool reads(const Statement& statement, const std::string& array) {
  const auto in = [&](const Statement& inner) { return reads(inner, array); };
  return reads(statement.target, array) || reads(statement.value, array) || reads(statement.begin, array) ||
         std::any_of(statement.body.begin(), statement.body.end(), in) ||
         std::any_of(statement.other.begin(), statement.other.end(), in);
}

bool may_leave(const Statement& statement) {
  return statement.kind == Statement::Kind::kBreak ||
         std::any_of(statement.body.begin(), statement.body.end(), may_leave) ||
         std::any_of(statement.other.begin(), statement.other.end(), may_leave);
}

// Whether all threads wait for all others in each step, when they come to this statement. Helpers of a block that is
// one warp have no barrier.
bool block_waits(const Kernel& kernel, const Statement& statement) {
  const bool is_called = statement.kind == Statement::Kind::kExpression || statement.kind == Statement::Kind::kLet;
  return is_called && statement.value->sync == Sync::kBlock && (is_barrier(statement) || kernel.launch.block > kWarp);
}

// Whether threads wait behind the last statement that reads the array, before the step ends and before any may leave
// the loop: one that leaves it may come to it again, in a step of a loop around it, while others still read.
bool waits_after(const Kernel& kernel, const Block& body, size_t written, const std::string& array) {
  size_t last = written;
  for (size_t i = 0; i < body.size(); ++i) {
    if (i != written && reads(body[i], array)) last = i;
    if (i < written && last == i) return false;  // what the step before has written
  }
  for (size_t i = written + 1; i < body.size(); ++i) {
    if (i > last && block_waits(kernel, body[i])) return true;
    if (may_leave(body[i])) return false;
  }
  return false;
}

}  // namespace

void drop_needless_barriers(const Kernel& kernel, Block* body) {
  for (size_t at = 0; at + 1 < body->size();) {
    if (!is_barrier((*body)[at])) {
      ++at;
      continue;
    }
    size_t end = at + 1;
    bool needless = true;
    for (; end < body->size() && !shared_by((*body)[end]).empty(); ++end)
      needless &= waits_after(kernel, *body, end, shared_by((*body)[end]));
    needless &= end > at + 1 && end < body->size() && is_barrier((*body)[end]);
    if (needless) body->erase(body->begin() + static_cast<std::ptrdiff_t>(at));
    at = needless ? end - 1 : end;
  }
}

}  // namespace sinter
