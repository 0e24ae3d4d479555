// What says the same in fewer words, before two trees are compared.
#pragma once

#include "review/read/code.h"

namespace sinter {

struct SimplifyOptions {
  bool hints = true;         // keep how far loops are unrolled, and the bounds of launches
  bool contractions = true;  // keep fmaf(a, b, c) apart from a * b + c
};

// Drops variables that nothing reads and statements that do nothing, and puts what a variable is made from in the one
// place that reads it, where nothing can change in between.
void simplify(Code* code, const SimplifyOptions& options);

}  // namespace sinter
