// Bins stages (passes/stages/own/bins_stage.h): a kernel whose threads each fill bins of their own, and whose blocks
// combine what they have come to.
#pragma once

#include "passes/lower/stages/lowered_stage.h"

namespace sinter {

LoweredStage lower_bins(const StageInput& input);

}  // namespace sinter
