// The parts of the verifier; verify.cpp lists what each checks.
#pragma once

#include "ir/module/module.h"
#include "ir/support/diagnostics.h"

namespace sinter {

void verify_structure(const Module& module, Diagnostics& diagnostics);
// Of a module whose structure and instructions are right.
void verify_interface(const Module& module, Diagnostics& diagnostics);

// A `?` dimension, in a tuple's elements too.
bool has_unbounded_dimension(const Shape& shape);
// Equal but for layouts and for which dimensions are dynamic.
bool same_bounds(const Shape& a, const Shape& b);

}  // namespace sinter
