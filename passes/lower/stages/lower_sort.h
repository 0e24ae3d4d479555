// Sorting stages (passes/stages/own/sort_stage.h): a kernel that sorts rows or tiles of rows, and one that merges runs.
#pragma once

#include "passes/lower/stages/lowered_stage.h"

namespace sinter {

LoweredStage lower_sort(const StageInput& input);

}  // namespace sinter
