// Building many emitted programs at once.
#pragma once

#include <string>
#include <vector>

#include "driver/build/engine.h"
#include "driver/build/unity_source.h"

namespace sinter {

// Where a program can be called: the path of a shared library with run_<name> (unity_source.h), or why there is none.
struct BuiltProgram {
  std::string library;
  std::string error;
};

// Builds the programs into a few libraries in the cache, several at a time. Where a library does not build, its
// programs are built one by one, so that only those fail that do not build. As many results as programs.
std::vector<BuiltProgram> build_libraries(const std::vector<LibraryProgram>& programs, const std::string& architectures,
                                          Device device);

}  // namespace sinter
