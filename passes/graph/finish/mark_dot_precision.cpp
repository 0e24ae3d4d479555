// mark_dot_precision: with --dot-precision, products of f32 that leave open what they are made in say it.
//
//   %d = f32[64,64] dot(%a, %b), ...    =>    the same, frontend_attributes={sinter_dot_precision="tf32"}
//
// Of all dots at once, when no pass makes another one.
#include "passes/analysis/shapes/dot_precision.h"
#include "passes/graph/base/passes.h"

namespace sinter {

bool mark_dot_precision(Module& module, const GraphPassOptions& options) {
  if (options.dot_precision.empty()) return false;
  set_dot_precision(module, options.dot_precision);
  return true;
}

}  // namespace sinter
