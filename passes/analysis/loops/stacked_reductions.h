// Reductions of a loop's steps that the loop only records, in a stack of its own: where a thread runs the loop for an
// element, the blocks that threads are reduce what they have of each step (passes/demand/operations/demand_stacks.cpp).
#pragma once

#include <cstdint>

#include "passes/analysis/loops/by_element.h"

namespace sinter {

// Bytes that a thread may have of a loop's reductions in a step: those of a warp fit the shared memory of a block.
inline constexpr int64_t kMostOfAThread = 1024;
// Elements that are too many to be stacked.
inline constexpr int64_t kMostStacked = int64_t{1} << 26;

// Whether parts of a reduction to a number can be made in any order, and it begins with a constant.
bool is_made_in_parts(const Instruction& reduce);

// Whether blocks of `threads` threads can reduce, in each of `steps` steps, so many elements: one of each thread.
bool blocks_reduce(int64_t elements, int64_t threads, int64_t steps);

// The reductions of a loop that are such.
InstructionSet stacked_reductions(const CarriedLoop& loop);

}  // namespace sinter
