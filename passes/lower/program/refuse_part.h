// Which kernels can be a part of a launch whose blocks wait for one another (join_together.cpp).
#pragma once

#include <cstdint>
#include <string>

#include "ir/kernel/kernel.h"

namespace sinter {

// Why it is none; empty: it may be one. `threads`: of the launch's blocks.
std::string refuse_part(const Kernel& kernel, int64_t threads);

}  // namespace sinter
