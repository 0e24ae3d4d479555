// Sums that are written out of an array and of the same beside it: see shifted_sums.cpp.
#pragma once

#include <vector>

#include "ir/module/module.h"

namespace sinter {

// A sum of slices of one array that are all elements of a window, and that window as an operation of its own, which
// nothing reads yet.
struct ShiftedSum {
  Instruction* sum = nullptr;
  Instruction* window = nullptr;
};

// Of all of the module.
std::vector<ShiftedSum> windows_of_shifted_sums(Module& module);

}  // namespace sinter
