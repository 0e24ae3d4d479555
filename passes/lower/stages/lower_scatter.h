// Scatter stages (passes/stages/own/scatter_stage.h): a kernel whose threads find the updates of their element among
// sorted ones; or the operand's elements, and a kernel whose threads bring one element of an update each.
#pragma once

#include "passes/lower/stages/lowered_stage.h"

namespace sinter {

LoweredStage lower_scatter(const StageInput& input);

}  // namespace sinter
