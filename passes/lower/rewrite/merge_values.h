// A value that the text computes twice, in two passes over a row of which a thread has one element, say, is computed
// once:
//
//   const float mean_1 = sum / 32.0f;              const float mean = sum / 32.0f;
//   ... (x - mean_1) / deviation ...        ==>    ... (x - mean) / deviation ...
//   const float mean_2 = sum / 32.0f;              ... x - mean ...
//   ... x - mean_2 ...
#pragma once

#include <map>

#include "ir/kernel/kernel.h"

namespace sinter {

// Of constants that nothing but values goes into: what is loaded may have been stored since. Text whose variables have
// no names yet. The variables that are gone, with those that have their values.
std::map<const Variable*, Variable*> merge_values(Kernel* kernel, Block* block);

}  // namespace sinter
