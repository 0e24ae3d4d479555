// Kernels that differ only in their buffers and names are emitted once.
#pragma once

#include <string>

#include "ir/kernel/kernel.h"

namespace sinter {

// Equal for kernels that compute the same from their parameters, whatever their variables are called.
std::string fingerprint(const Kernel& kernel);

}  // namespace sinter
