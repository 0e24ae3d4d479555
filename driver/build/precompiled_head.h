// The headers that emitted programs share, compiled beforehand: without, they are most of what the build of a small
// program takes on the CPU.
#pragma once

#include <string>
#include <vector>

#include "driver/build/engine.h"

namespace sinter {

// Gives the compiler the flags that code beside these headers is compiled with as well, and the folder of the headers.
// The path of their head.h (unity_source.h: unity_headers) for -include, which is quick with exactly these flags.
// Empty, and no folder given, where the compiler is none of g++.
std::string use_precompiled_head(const FileSet& headers, std::vector<std::string>* compiler);

}  // namespace sinter
