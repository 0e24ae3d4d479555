// Which values may be statistics of rows or vectors (row_statistics.h).
#pragma once

#include "ir/module/module.h"

namespace sinter {

// Whether it is a reduction of one array by one operation, from what changes nothing.
bool may_be_statistic(const Instruction& value);

}  // namespace sinter
