// How formulas say which dimensions, and which part of them, an operation is about.
#pragma once

#include <string>

#include "ir/module/module.h"

namespace sinter {

// "[0:30,1:31]", "[:,4:8]"
std::string slice_text(const Instruction& slice);

// Which dimensions a dot multiplies, as einsum says it: "abc,adc->abd". Empty for the product of matrices, which needs
// no word: the last dimension of the left with the first of the right.
std::string dot_text(const Instruction& dot);

}  // namespace sinter
