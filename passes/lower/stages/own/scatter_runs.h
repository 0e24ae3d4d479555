// Sums of updates that come sorted by row, in runs (RunsForm): one kernel in which a thread takes a run, and one in
// which a block joins what rows have in several shares. Elements of the result hold the operand before.
#pragma once

#include "passes/lower/stages/base/lowered_stage.h"
#include "passes/stages/own/scatter_stage.h"

namespace sinter {

// `index`: the type of offsets.
void add_run_kernels(const StageInput& input, const ScatterDemand& demand, DType index, LoweredStage* stage);

// What a kernel that brings so many updates to rows of the result touches of it: these rows, and no others.
void touches_rows(const Instruction& scatter, int64_t updates, Kernel* kernel);

}  // namespace sinter
