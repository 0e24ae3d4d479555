// What the table of stages (passes/stages/stage_kinds.cpp) asks of each stage of its own: takes_sort, which operations
// it is a stage of; sort_shape, the threads of a kernel's, and what they take. Each is in a file of that name.
#pragma once

#include "passes/stages/own/own_stage.h"

namespace sinter {

#define OWN_STAGE(word, has_epilogue, reads_memory)  \
  bool takes_##word(const Instruction& instruction); \
  std::optional<OwnStageShape> word##_shape(const KernelValues& kernel, std::optional<DemandGraph::Failure>* failure);
#include "passes/stages/own/own_stages.def"
#undef OWN_STAGE

}  // namespace sinter
