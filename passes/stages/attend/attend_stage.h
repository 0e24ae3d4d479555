// The stage of attention (attention.h): a block computes some queries' results, of all keys.
#pragma once

#include <optional>
#include <vector>

#include "passes/stages/attend/attend_form.h"
#include "passes/stages/own/epilogue.h"

namespace sinter {

struct AttendDemand {
  const Instruction* fusion = nullptr;
  AttentionDemand attention;      // what it loads are the fusion's operands
  std::vector<AttendForm> forms;  // the fastest first; a plan may have any
  EpilogueDemand epilogue;        // of the result at (batch, row, column)
};

std::optional<AttendDemand> demand_attend(const KernelValues& kernel, std::optional<DemandGraph::Failure>* failure);

}  // namespace sinter
