// Rows of which the last of each so many is short (reduced_rows.h), in a kernel.
#pragma once

#include <set>

#include "passes/analysis/shapes/reduced_rows.h"

namespace sinter {

// Which of such rows are short, where all that `values` reduce of them agree.
ShortRows short_rows(const std::set<const Instruction*>& values, const RowExtents& rows);

// How many elements all rows have, without what short ones miss.
int64_t elements_of(const RowExtents& rows, const ShortRows& short_rows);

}  // namespace sinter
