// The stage of a network (network.h): a block computes all layers of some rows.
#pragma once

#include <optional>

#include "passes/stages/network/network_form.h"
#include "passes/stages/own/epilogue.h"

namespace sinter {

struct NetworkStageDemand {
  const Instruction* fusion = nullptr;
  NetworkDemand network;  // what it loads are the fusion's operands
  NetworkForm form;
  EpilogueDemand epilogue;  // of the result at (row, column)
};

std::optional<NetworkStageDemand> demand_network_stage(const KernelValues& kernel,
                                                       std::optional<DemandGraph::Failure>* failure);

}  // namespace sinter
