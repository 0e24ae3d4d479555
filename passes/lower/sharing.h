// Which of a kernel's arrays may be one array: what is read may be overwritten where each thread reads an element
// before it writes that element, and no other thread reads it.
#pragma once

#include <utility>
#include <vector>

#include "ir/kernel.h"
#include "passes/schedule/demand.h"

namespace sinter {

// (value loaded, value stored) such that every load is of an element that the same thread stores. Ask before the
// graph's coordinates are taken apart: lanes and passes number theirs anew.
using ElementwisePairs = std::vector<std::pair<const Instruction*, const Instruction*>>;
ElementwisePairs elementwise_pairs(const DemandGraph& graph);

// True if no statement reads `in` after one that writes `out`, in the order of the text.
bool reads_before_writes(const Block& block, const Variable* in, const Variable* out);

}  // namespace sinter
