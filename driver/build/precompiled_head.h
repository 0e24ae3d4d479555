// The headers that emitted programs share, compiled beforehand: without, they are most of what the build of a small
// program takes on the CPU.
#pragma once

#include <string>
#include <vector>

#include "driver/build/engine.h"

namespace sinter {

// Flags that code beside these headers is compiled with as well, for a compiler takes them by no other.
std::vector<std::string> with_flags_of_head(std::vector<std::string> compiler);

// The path of a head.h (unity_source.h: unity_headers) for -include, which is quick with exactly this compiler and its
// flags; its folder has the headers. Empty where that is none of g++.
std::string precompiled_head(const FileSet& headers, const std::vector<std::string>& compiler);

}  // namespace sinter
