// What a build may leave out of what clang reads, since the preprocessor decides it: text between #if and #endif, taken
// or not, pragmas, and macros that stand for what only a build knows. The tree has only what one build takes.
#pragma once

#include <clang/Lex/PPCallbacks.h>
#include <clang/Lex/Preprocessor.h>

#include <memory>
#include <vector>

#include "review/read/code.h"

namespace sinter {

// Adds what it meets in the project's own files to `found`.
std::unique_ptr<clang::PPCallbacks> conditional_text(const clang::Preprocessor& reader,
                                                     std::vector<Conditional>* found);

}  // namespace sinter
