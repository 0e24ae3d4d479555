// The stage of a reduction over pairs (pair_reduction.h): tiles as those of a matrix product without tensor cores
// (simt_form.h), whose operands are in memory.
#pragma once

#include <optional>

#include "passes/stages/products/simt_form.h"

namespace sinter {

struct PairsStage {
  ContractDemand demand;  // with a term of its own
  SimtForm form;
  int64_t threads = 0;
};

std::optional<PairsStage> demand_pairs_stage(const KernelValues& kernel, std::optional<DemandGraph::Failure>* failure);

}  // namespace sinter
