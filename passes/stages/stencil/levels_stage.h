// The stage of a chain of stencils (levels.h), which is one instruction
// (passes/analysis/functions/stencil_levels.h).
#pragma once

#include <optional>
#include <vector>

#include "passes/stages/own/own_stage.h"
#include "passes/stages/stencil/levels_form.h"

namespace sinter {

struct LevelsDemand {
  const Instruction* fusion = nullptr;
  LevelsForm form;
  Levels levels;  // what its graphs load are the fusion's operands
  // Of each result of the fusion's computation: itself, and what is stored of it, nullptr where nobody reads that.
  std::vector<const Instruction*> results, outputs;
};

std::optional<LevelsDemand> demand_levels(const KernelValues& kernel, std::optional<DemandGraph::Failure>* failure);

}  // namespace sinter
