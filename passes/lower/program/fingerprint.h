// Kernels that differ only in their buffers and names are emitted once; programs that differ only in their weights'
// values can have each other's.
#pragma once

#include <string>

#include "ir/kernel/kernel.h"
#include "passes/lower/host/host_plan.h"

namespace sinter {

// Equal for kernels that compute the same from their parameters, whatever their variables are called.
std::string fingerprint(const Kernel& kernel);

// 16 hexadecimal digits: of all that a run does, by its kernels, constants and steps, and of the weights' names.
std::string fingerprint(const Program& program);

}  // namespace sinter
