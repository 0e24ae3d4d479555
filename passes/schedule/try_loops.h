// Whole trees in which loops are run by somebody else than follows from what they compute.
#pragma once

#include <string>

#include "passes/schedule/grouped_levels.h"
#include "passes/schedule/schedule.h"

namespace sinter {

// Takes in place of `best` what is predicted to take less time: a loop of a kernel whose steps the host launches, where
// each has work for more threads; then a loop of the host whose steps are one launch. options.predicted_us and
// options.gpu are there.
void try_loops(const Module& module, const std::string& program_name, const ScheduleOptions& options,
               const Diagnostics& diagnostics, GroupedLevels* levels, Schedule* best);

}  // namespace sinter
