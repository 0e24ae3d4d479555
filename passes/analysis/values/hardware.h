// What kernels are planned for, whichever GPU a program is for: its text does not depend on that.
#pragma once

#include <cstdint>

namespace sinter {

inline constexpr int64_t kWarp = 32;           // threads
inline constexpr int64_t kMostThreads = 1024;  // of a block
// Blocks of a launch along its second and third dimension; along the first there may be INT32_MAX.
inline constexpr int64_t kMostBlocksYZ = 65535;
inline constexpr int64_t kAccessBytes = 16;  // that a thread loads or stores at once

// Streaming multiprocessors to spread threads over (an H200's).
inline constexpr int64_t kMultiprocessors = 132;

// Cycles, of any GPU: to count a block among those that share sums and to see what others have stored; bytes that come
// to a multiprocessor in one.
inline constexpr int64_t kFoundCycles = 2000;
inline constexpr int64_t kBytesACycle = 64;

// Microseconds that all blocks of a launch wait for one another, from the last that arrives to all that go on: an
// atomic operation and a load of another block's store, each the way to the L2 cache and back. Not measured.
inline constexpr double kWaitUs = 1.3;

// Shared memory that every GPU from compute capability 8.0 on has for a block, all of it, ...
inline constexpr int64_t kSharedBytesMost = 99 << 10;
// ... less what the runtime and small arrays beside a large one take, ...
inline constexpr int64_t kSharedBytesOfBlock = 96 << 10;
// ... and that needs no asking for (templates/device/launch.cuh).
inline constexpr int64_t kSharedBytesUnasked = 48 << 10;

}  // namespace sinter
