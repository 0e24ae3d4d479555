// Reductions over a few elements, written out as one operation after the other.
#pragma once

#include <vector>

#include "ir/module/module.h"

namespace sinter {

// Whether a reduction of one array over one dimension can be written as a sum, or another simple combination, of parts.
bool may_be_written_out(const Instruction& reduce);

// Turns it into that of `parts`, which are what it combines, in order.
void write_out(Instruction& reduce, const std::vector<Instruction*>& parts);

}  // namespace sinter
