// A while whose state is an array, or holds tuples within its tuple.
#pragma once

#include "ir/module/module.h"

namespace sinter {

// Rewrites the loop so that its state is one flat tuple of arrays and tokens. Body and condition must have no other
// caller. False if it is that already.
//
//   (s32[], (f32[4], f32[4]))   =>   (s32[], f32[4], f32[4])
//   f32[4]                      =>   (f32[4])
bool flatten_while(Instruction& loop);

}  // namespace sinter
