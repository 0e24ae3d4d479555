// The stage of several steps of a stencil (stencil.h): the steps of a loop that one launch makes are one instruction, a
// fusion whose computation is a loop of them, which a pass has made (passes/graph/finish/tile_loops.cpp).
#pragma once

#include <optional>
#include <vector>

#include "passes/stages/own/own_stage.h"
#include "passes/stages/stencil/tiles_form.h"

namespace sinter {

// The values of such a fusion's frontend attributes: its stage's word, as of attention (attention.h), and its form.
inline constexpr const char* kStencil = "stencil";
inline constexpr const char* kTilesForm = "sinter_tiles";

struct StencilDemand {
  const Instruction* fusion = nullptr;
  TilesForm form;
  Stencil stencil;  // what its graph loads are the fusion's operands
  std::vector<const Instruction*> before, after;  // by state: the array that steps begin with, and what they give
};

std::optional<StencilDemand> demand_stencil(const KernelValues& kernel, std::optional<DemandGraph::Failure>* failure);

}  // namespace sinter
