// Barriers that a loop does without: threads wait before they write what others read in the step before; where they
// have waited since these have read it, they need not.
//
//   for (...) {                                     for (...) {
//     __syncthreads();                                shared.x[threadIdx.x] = x;
//     shared.x[threadIdx.x] = x;                      __syncthreads();
//     __syncthreads();                           =>   ... shared.x[k] ...
//     ... shared.x[k] ...                             sum = block_reduce<kThreads>(...);
//     sum = block_reduce<kThreads>(...);            }
//   }
#pragma once

#include "ir/kernel/kernel.h"

namespace sinter {

// Of the body of a loop, whose shared arrays nothing outside of it reads.
void drop_needless_barriers(const Kernel& kernel, Block* body);

}  // namespace sinter
