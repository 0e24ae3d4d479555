// A choice in the arm of another one sets what the outer one sets:
//
//   if (a) {                     if (a) {
//     float inner;         ==>     if (b) outer = x; else outer = y;
//     if (b) inner = x;          }
//     else inner = y;
//     outer = inner;
//   }
//
// and a choice whose other side is what the outer one holds already is one with it:
//
//   float outer = 0.0f;
//   if (a) {                     float outer = 0.0f;
//     float inner = 0.0f;   ==>  if (a && b) outer = x;
//     if (b) inner = x;
//     outer = inner;
//   }
#pragma once

#include "ir/kernel/kernel.h"

namespace sinter {

// Of an arm that ends with what it gives. Leaves it where the inner variable is read for anything else. `held` is what
// the variable that is given holds before; nullptr: nothing.
void assign_directly(Kernel& kernel, Block* arm, const Expr* held);

// if (a) { if (b) { ... } } as if (a && b) { ... }
void join_tests(Kernel& kernel, Statement* guard);

}  // namespace sinter
