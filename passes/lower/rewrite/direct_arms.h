// A choice in the arm of another one sets what the outer one sets:
//
//   if (a) {                     if (a) {
//     float inner;         ==>     if (b) outer = x; else outer = y;
//     if (b) inner = x;          }
//     else inner = y;
//     outer = inner;
//   }
#pragma once

#include "ir/kernel/kernel.h"

namespace sinter {

// Of an arm that ends with what it gives. Leaves it where the inner variable is read for anything else.
void assign_directly(Kernel& kernel, Block* arm);

}  // namespace sinter
