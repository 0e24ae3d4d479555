// Kernels that the cost model predicts to take far longer than what they move and compute has to take: `explain` marks
// them, `compile` warns of them.
#pragma once

#include "driver/compile/plan_report.h"

namespace sinter {

// Fills in KernelReport::slow. Not of kernels with loops that threads run, whose steps wait for each other, nor of
// kernels of matrix products and stages of their own, which the model knows only roughly.
void mark_slow_kernels(const Artifact& artifact, PlanReport& report);

// A warning W0401 for each, at the value that takes most.
void warn_of_slow_kernels(const Artifact& artifact, const PlanReport& report, Diagnostics& diagnostics);

// Operations, of an addition's cost each, that an instruction cannot do without, whichever way it is computed; 0 of
// what only moves elements.
double least_operations(const Instruction& instruction);

}  // namespace sinter
