// How many elements of a reduction one thread goes through by itself. What is longer is given to the threads of a row,
// or is made in parts. Unit: elements of one result. None of these was measured by itself: each line says what it
// follows from.
#pragma once

#include <cstdint>

namespace sinter {

// Is it one short loop of a thread, whatever its function? kShortReduction of thresholds.h, below which the
// scheduler makes no rows.
inline constexpr int64_t kShortLoop = 16;

// May a thread read them though they lie apart? As many as a warp has lanes: a row of no more leaves it nothing to
// share.
inline constexpr int64_t kShortApart = 32;

// How many elements has a part of what is made in order, in parts? As many as a warp has lanes: where a part's elements
// are neighbours, they are a line of memory of 128 bytes, of four-byte elements.
inline constexpr int64_t kOrderedPart = 32;

// Is it too short for parts? Two of them.
inline constexpr int64_t kShortOrdered = 2 * kOrderedPart;

// The same in a loop's body, which one thread may run all of: parts would be a launch a step. As many as the largest
// block has threads, which is as far as a block reduces by itself in a loop (kMostThreads of hardware.h).
inline constexpr int64_t kShortInBody = 1024;

}  // namespace sinter
