// A kernel, and what it is launched with.
#pragma once

#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include "ir/kernel/kernel.h"
#include "passes/lower/write/stage_argument.h"

namespace sinter {

struct LoweredKernel {
  Kernel kernel;
  std::vector<StageArgument> arguments;  // of each parameter of the kernel, in their order
  std::vector<ScratchBuffer> scratch;
  // Positions in `arguments` of an array read and one written that may be one array.
  std::vector<std::pair<size_t, size_t>> may_share;
};

// Shapes of the arrays behind a kernel's pointers that are none of the program's values.
using ScratchShapes = std::map<const Variable*, Shape>;

}  // namespace sinter
