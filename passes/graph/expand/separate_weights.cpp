// separate_weights: constants that are weights become parameters of the entry, behind its own, one for each name. Calls
// hand them on, loops carry them unchanged, conditionals give them to their branches.
//
//   %w = f32[64,32] constant(...), frontend_attributes={sinter_weight="layer_0.w"}   =>
//   %layer_0.w = f32[64,32] parameter(1), frontend_attributes={sinter_weight="layer_0.w"}
#include "ir/module/weights.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/expand/lift_constants.h"

namespace sinter {

bool separate_weights(Module& module, const GraphPassOptions&) { return lift_constants(module, kWeightAttribute); }

}  // namespace sinter
