// Why some of a kernel's pointers lack __restrict__: what a reader asks at the signature.
#pragma once

#include <string>

#include "ir/kernel/kernel.h"

namespace sinter {

// A comment of one line or more, before the function; empty where every pointer is alone with its array.
std::string explain_pointers(const Kernel& kernel, bool is_part);

}  // namespace sinter
