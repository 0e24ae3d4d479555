// Reads emitted code with clang, as CUDA C++: a check that needs neither a CUDA toolkit nor a GPU.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "emitter/host/emit_project.h"

namespace sinter {

// What counts: warnings are errors too, or errors alone do.
enum class Complaints : uint8_t { kWarnings, kErrors };

// Parses every .cu of the folder twice, for the device (sm_90a) and for the host, as C++20 with -Wall -Wextra. True if
// clang has nothing to say, but warnings of headers of the user's own; otherwise `report` is what it said, warnings as
// errors, paths as in `files`.
//
// Nothing is read from disk. The headers of CUDA and of the standard library are ours (review/headers): the few
// declarations that emitted code uses, so that a file takes some milliseconds and the verdict is the same on every
// machine. A header that is not among them "is not found": where a template includes a new one, it is added there.
//
// `for_each` calls its second argument with 0, ..., the first - 1, by chance several at a time
// (driver/system/parallel.h).
using ForEach = std::function<void(size_t, const std::function<void(size_t)>&)>;
bool verify_cuda(const FileSet& files, std::string& report, const ForEach& for_each = nullptr,
                 Complaints counted = Complaints::kWarnings);

}  // namespace sinter
