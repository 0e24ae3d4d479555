// What kernels are planned for, whichever GPU a program is for: its text does not depend on that.
#pragma once

#include <cstdint>

namespace sinter {

inline constexpr int64_t kWarp = 32;  // threads

// Streaming multiprocessors to spread threads over (an H200's).
inline constexpr int64_t kMultiprocessors = 132;

// Shared memory that every GPU from compute capability 8.0 on has for a block, ...
inline constexpr int64_t kSharedBytesOfBlock = 96 << 10;
// ... and that needs no asking for (templates/device/launch.cuh).
inline constexpr int64_t kSharedBytesUnasked = 48 << 10;

}  // namespace sinter
