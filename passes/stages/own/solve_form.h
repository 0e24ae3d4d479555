// Which factorisations and triangular systems a stage solves (passes/stages/own/solve_stage.h), and which are a
// library's.
#pragma once

#include <cstdint>

#include "ir/module/solver_calls.h"

namespace sinter {

inline constexpr int64_t kSolveTile = 32;  // right sides that a block solves

// True if a stage solves it: one of those that stages solve, with matrices that fit a block's shared memory.
bool fits_block(const SolverCall& call, const Instruction& instruction);

}  // namespace sinter
