// Dimensions of up to N elements (`f32[<=1024,64]`) become dimensions of N, and how many a run has a number.
#pragma once

#include "ir/module/module.h"
#include "ir/support/diagnostics.h"

namespace sinter {

// Whether the text bounds a dimension of some value.
bool has_bounded_dimensions(const Module& module);

// Parameters of the entry say which dimensions are bounded. Everything else follows from them (size_flow.h), whatever
// the text says of the dimensions of results. Afterwards every shape is static, and what is known of sizes is said by
// the parameters that are new (passes/analysis/shapes/extents.h). The module has been parsed, and not yet verified:
// XLA's text need not say everywhere that a dimension is bounded, and afterwards shapes are what the verifier asks for.
//
// False, with a diagnostic for each operation that cannot be done with such sizes: then the module is of no use.
bool bound_dimensions(Module& module, Diagnostics& diagnostics);

}  // namespace sinter
