// Fourier transforms of rows (passes/schedule/fft_stage.h): one kernel.
#pragma once

#include "passes/lower/lowered_stage.h"

namespace sinter {

LoweredStage lower_fft(const StageInput& input);

}  // namespace sinter
