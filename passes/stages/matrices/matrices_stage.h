// The stage of what threads make of small matrices, a thread a matrix of a batch (thread_program.h), which is one
// instruction (passes/analysis/functions/small_matrices.h).
#pragma once

#include <optional>
#include <vector>

#include "passes/stages/matrices/thread_program.h"
#include "passes/stages/own/own_stage.h"

namespace sinter {

struct MatricesDemand {
  const Instruction* fusion = nullptr;
  ThreadProgram program;
  std::vector<const Instruction*> outputs;  // by result of the program; nullptr: nobody reads it
};

std::optional<MatricesDemand> demand_matrices(const KernelValues& kernel, std::optional<DemandGraph::Failure>* failure);

// How the threads, or warps, of a program are a launch.
struct MatricesLaunch {
  int64_t threads = 1;  // of a block
  int64_t teams = 1;    // matrices that a block has
};
MatricesLaunch matrices_launch(const ThreadProgram& program);

}  // namespace sinter
