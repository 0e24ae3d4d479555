// Checks a module against the invariants listed at the top of verify.cpp: graph structure, arity, attributes
// present and legal, and that each stated shape is the one its row infers (layouts aside).
#pragma once

#include "ir/module/module.h"
#include "ir/support/diagnostics.h"

namespace sinter {

// Reports everything wrong (up to Diagnostics::kMaxErrors); true if nothing is.
bool verify(const Module& module, Diagnostics& diagnostics);

}  // namespace sinter
