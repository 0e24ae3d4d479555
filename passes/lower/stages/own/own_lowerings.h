// The lowerings of stages of their own: lower_sort of a stage sort, in a file of that name. The item's threads are
// those that follow from the stage's operands.
#pragma once

#include "passes/lower/stages/base/lowered_stage.h"

namespace sinter {

#define OWN_LOWERING(word) LoweredStage lower_##word(const StageInput& input);
#include "passes/lower/stages/own/own_lowerings.def"
#undef OWN_LOWERING

}  // namespace sinter
