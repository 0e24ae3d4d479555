// Passes of a chain of stencils (levels.h) whose lanes have kWideColumns columns next to each other: what they read of
// an array, or a level, in one row they read by vectors, once for all of these.
//
//   sum_near: columns c to c + 11 of a row, of which element k of a lane reads those from c + k to c + k + 6
#pragma once

#include <optional>
#include <vector>

#include "passes/stages/stencil/levels.h"

namespace sinter {

// What the elements of a pass that are far from all borders read, in the order of the nodes; nullopt: something that is
// not in one place after the other, or not aligned.
std::optional<std::vector<WideRead>> wide_reads(const LevelPass& pass, const Levels& levels);

}  // namespace sinter
