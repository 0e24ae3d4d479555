// Fourier transforms of rows (passes/stages/own/fft_stage.h): one kernel.
#pragma once

#include "passes/lower/stages/lowered_stage.h"

namespace sinter {

LoweredStage lower_fft(const StageInput& input);

}  // namespace sinter
