// Numbers that the user's program has names for: 9.8f is kGravity in a kernel where its expression has GRAVITY.
#pragma once

#include "ir/kernel/kernel.h"

namespace sinter {

// A constant, as the expression of `reader`, which reads it, names it; nullptr where it does not. The kernel gets the
// constant.
const Expr* named_number(Kernel* kernel, const Instruction& reader, const Literal& number);

}  // namespace sinter
