// How an assignment is written.
#pragma once

#include "ir/kernel/kernel.h"

namespace sinter {

// target = value; and, where value is target + y, target += y.
Statement assignment(const Expr* target, const Expr* value);

}  // namespace sinter
