// Stages of their own: ops that no map, row or contract kernel can compute, because their elements depend on each other
// in ways of their own. Such a stage is one instruction and what is computed before it where its operands are read, of
// some also what is computed after it where its elements are stored (epilogue.h); it is lowered by a function of its
// own (passes/lower/stages/lowered_stage.h), to one kernel or several.
//
// The table in own_stages.cpp has a row an op; the table in passes/lower/stages/lowered_stage.cpp has its lowering.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "passes/stages/domain/domain.h"

namespace sinter {

// What the tree says of such a stage, and how large it is.
struct OwnStageShape {
  int64_t grid[3] = {1, 1, 1};  // of the first kernel
  int64_t block[3] = {1, 1, 1};
  int64_t nodes = 0;  // of the demand graphs of its operands
};

struct OwnStage {
  std::string_view schedule;  // its name in the tree
  // True for an instruction that is such a stage, and one that can be compiled.
  bool (*takes)(const Instruction& instruction);
  // Fails where the kernel's values are not one such instruction, what can be computed where it reads its operands, and
  // what where it stores its elements.
  std::optional<OwnStageShape> (*shape)(const KernelValues& kernel, std::optional<DemandGraph::Failure>* failure);
  bool has_epilogue = false;
};

// nullptr: an instruction for other kernels, or for none.
const OwnStage* own_stage(const Instruction& instruction);
const OwnStage* own_stage(std::string_view schedule);

// The one instruction of a kernel that has a stage of its own; nullptr where there is none, or several.
const Instruction* own_instruction(const KernelValues& kernel);

// Ends the demand for a stage's operands. False with `failure` set where their elements cannot be computed where they
// are read: loops and reductions stay outside.
bool finish_operands(DemandGraph& graph, std::optional<DemandGraph::Failure>* failure);

}  // namespace sinter
