// A reduction over pairs: the tiles of a matrix product without tensor cores, with a term of its own in place of the
// product.
#include <optional>

#include "ir/support/diagnostics.h"
#include "passes/lower/stages/own/own_lowerings.h"
#include "passes/lower/stages/products/lower_simt.h"
#include "passes/stages/pairs/pairs_stage.h"

namespace sinter {

LoweredStage lower_pairs(const StageInput& input) {
  std::optional<DemandGraph::Failure> failure;
  const std::optional<PairsStage> stage = demand_pairs_stage(input.values, &failure);
  check(stage.has_value(), "lower", input.node.name + ": pairs that are none");
  return lower_simt(input, stage->demand, stage->form);
}

}  // namespace sinter
