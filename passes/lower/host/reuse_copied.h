// Arrays that are copied once and read no more: what made them writes them where the copy would be.
#pragma once

#include "passes/lower/host/host_plan.h"

namespace sinter {

// Of the program's own steps, none that a loop or branch repeats. Stages begin so what they update: a scatter of rows,
// whose operand nothing else may read.
void reuse_copied(Program* program);

}  // namespace sinter
