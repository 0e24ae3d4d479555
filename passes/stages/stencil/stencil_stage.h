// The stage of several steps of a stencil (stencil.h), which are one instruction
// (passes/analysis/functions/stencil_steps.h).
#pragma once

#include <optional>
#include <vector>

#include "passes/stages/own/own_stage.h"
#include "passes/stages/stencil/tiles_form.h"

namespace sinter {

struct StencilDemand {
  const Instruction* fusion = nullptr;
  TilesForm form;
  Stencil stencil;  // what its graph loads are the fusion's operands
  // By state: the array that steps begin with, and what they give, nullptr where nobody reads it; behind these, by
  // number.
  std::vector<const Instruction*> before, after;
};

std::optional<StencilDemand> demand_stencil(const KernelValues& kernel, std::optional<DemandGraph::Failure>* failure);

}  // namespace sinter
