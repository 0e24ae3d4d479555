// Reads emitted code with clang, as CUDA C++: a check that needs neither a CUDA toolkit nor a GPU.
#pragma once

#include <string>

#include "emitter/emit_project.h"

namespace sinter {

// Parses every .cu of the folder twice, for the device (sm_90a) and for the host, as C++20 with -Wall -Wextra. True if
// clang has nothing to say; otherwise `report` is what it said, warnings as errors, paths as in `files`.
//
// Nothing is read from disk but clang's own headers and the C++ standard library. The former lie in the resource
// directory found when Sinter was built, or in the one the environment variable SINTER_CLANG_RESOURCE_DIR names; the
// latter are the ones clang finds on the machine. CUDA's headers are ours (review/cuda), whether or not a toolkit is
// there. If those headers are not found, the report says so and the result is false.
bool verify_cuda(const FileSet& files, std::string& report);

}  // namespace sinter
