// The lowerings of stages of their own: lower_sort of a stage sort, in a file of that name. The item's threads are
// those that follow from the stage's operands.
#pragma once

#include "passes/lower/stages/base/lowered_stage.h"

namespace sinter {

#define OWN_STAGE(word, has_epilogue, reads_memory) LoweredStage lower_##word(const StageInput& input);
#include "passes/stages/own/own_stages.def"
#undef OWN_STAGE

}  // namespace sinter
