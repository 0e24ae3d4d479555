// Names in a kernel whose parts were written, and named, one by one.
#pragma once

#include "ir/kernel/kernel.h"

namespace sinter {

// A name that is visible where it is declared again gets a number.
void make_names_unique(Kernel& kernel);

}  // namespace sinter
