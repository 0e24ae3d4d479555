// The stage of a chain (chain.h): a block computes some rows' results, of all columns.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "passes/stages/chain/chain_form.h"
#include "passes/stages/own/epilogue.h"

namespace sinter {

struct ChainStage {
  const Instruction* fusion = nullptr;
  ChainDemand chain;  // what it loads are the fusion's operands
  ChainForm form;
  // Of each result: what it is called outside (the fusion, or an element of it; nullptr: nobody reads it), and what is
  // stored of it.
  struct Stored {
    const Instruction* source = nullptr;
    std::optional<EpilogueDemand> epilogue;
  };
  std::vector<Stored> stored;
  // What the kernel reads and writes, of all results.
  std::unique_ptr<DemandContext> context;
  std::unique_ptr<DemandGraph> all;
};

std::optional<ChainStage> demand_chain_stage(const KernelValues& kernel, std::optional<DemandGraph::Failure>* failure);

}  // namespace sinter
