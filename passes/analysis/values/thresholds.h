// From which size on something is worth it: the numbers that more than one file asks for, or that answer one question
// in several places with different units. What only one function asks for stands there, with its reason. Limits of the
// hardware: hardware.h.
//
// Operations are counted as op_table.h weighs them: an addition is 1, a division 8, an exponential 10.
#pragma once

#include <cstdint>

namespace sinter {

// Threads. Are there enough to keep a GPU busy? About as many as an H200 runs at a time, 132 multiprocessors of 128
// lanes each.
inline constexpr int64_t kThreadsAtOnce = 16384;

// Elements. Is a reduction short: written out perhaps, and made again a few times? Half a warp's.
inline constexpr int64_t kShortReduction = 16;

// What is dear, in operations. Each is what stands against making a value again.
//
// An element in several kernels, or for several rows of a kernel: up to this it is computed again. Against: its bytes,
// written and read.
inline constexpr int64_t kRecomputeCost = 12;
// An element of a layer, for each result of the reduction around it: from this on it stands in an array of the
// thread's. Against: an access of local memory, which the first cache mostly has.
inline constexpr int64_t kDearInLayer = 12;
// An element of a row, in each of its passes: from this on it is kept. Against: a register.
inline constexpr int64_t kDearInRow = 8;
// A value that is the same for a warp's threads, in each of them: from this on lanes share it, if so many operations
// are saved in a step. Against: a shuffle, and the loop's being taken apart.
inline constexpr int64_t kDearInLane = 16;
inline constexpr int64_t kWorthLanes = 48;
// A number, in each thread of a block: from this on one computes it. Against: a barrier.
inline constexpr int64_t kDearNumber = 32;
// Another thread's element, in a step of a loop of block scope: from this on it is read from shared memory. Against:
// two barriers a step.
inline constexpr int64_t kDearInBlock = 64;

}  // namespace sinter
