// How much a thread program's thread has at a time.
#pragma once

#include <cstdint>

namespace sinter {

struct ThreadProgram;

// The words of 4 bytes of all arrays that are still read at a time, at the most. Constants are in the instructions.
int64_t live_words(const ThreadProgram& program);

}  // namespace sinter
