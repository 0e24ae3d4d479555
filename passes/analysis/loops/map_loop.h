// Loops whose steps need nothing of each other, as jax.lax.map traces them: each step fills its own place of the
// results from what the loop does not change. All steps can be made at once.
#pragma once

#include <cstddef>
#include <optional>

#include "ir/module/module.h"
#include "passes/analysis/loops/while_analysis.h"

namespace sinter {

// If result `carry` of a loop is a stack: each iteration writes one row of it and nothing reads it inside.
bool is_stack(const Instruction& while_instruction, int carry);

// Which dimension of a result the steps fill, one after the other: step t its element t, or, backwards, the t-th from
// the end.
struct FilledDimension {
  size_t dimension = 0;
  bool backwards = false;
};
// nullopt where steps do not fill all of carry `carry`, or the loop reads it.
std::optional<FilledDimension> filled_dimension(const Instruction& loop, const WhileInfo& info, int carry);

// True if the loop runs a known number of times, and everything it carries counts, stays, or is filled by its steps.
// False for steps that hold large matrix products, which have better kernels one by one.
bool is_map_loop(const Instruction& loop, const WhileInfo& info);
bool is_map_loop(const Instruction& loop);

}  // namespace sinter
