// remove_dead: what no result depends on goes, and computations that nothing calls.
//
//   %a = f32[4] negate(%x)                      ROOT %b = f32[4] abs(%x)
//   ROOT %b = f32[4] abs(%x)               =>
//
// Parameters stay, and so do host transfers and custom calls with side effects. A loop whose result is unused goes
// even if it might not end.
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"

namespace sinter {

bool remove_dead(Module& module, const GraphPassOptions&) { return remove_dead_code(module); }

}  // namespace sinter
