// Expressions of a kernel compared, and replaced in others and in statements.
#pragma once

#include <functional>

#include "ir/kernel/kernel.h"

namespace sinter {

// Whether both are spelled alike, and of one type.
bool same_expr(const Expr* a, const Expr* b);

// What stands in place of an expression; nullptr where it stays, and what it holds is looked at. `maybe`: it stands
// behind a condition, and may not be computed.
using Replacement = std::function<const Expr*(const Expr* expr, bool maybe)>;

// Sums with a 0 that a replacement leaves are the other operand. Of nullptr: nullptr.
const Expr* replaced(Kernel* kernel, const Expr* expr, const Replacement& replace, bool maybe = false);
void replace_in(Kernel* kernel, Block* block, const Replacement& replace, bool maybe = false);

}  // namespace sinter
