// What expressions and statements of a kernel mention, and constants that nothing mentions.
#pragma once

#include <set>
#include <string>

#include "ir/kernel/kernel.h"

namespace sinter {

// True if the expression (nullptr: none), or one of the block, reads the variable, or is the name.
bool mentions(const Expr* expr, const Variable* variable);
bool mentions(const Block& block, const Variable* variable);
bool mentions(const Block& block, const std::string& name);
// All variables of it.
void add_mentioned(const Expr* expr, std::set<const Variable*>* variables);

// True if threads wait for one another in a call of the expression (nullptr: none).
bool waits(const Expr* expr);

// Takes out the constants of `block` that nothing in `all`, which it is or stands in, reads, and that stand for no
// value of the program.
void drop_unread_indices(Block* block, const Block& all);

}  // namespace sinter
