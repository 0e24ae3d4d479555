// A program's folder as it would be alone: with the kernels that it takes from another one of its artifact
// (emitter/host/shared_kernels.h), as its own.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "emitter/host/emit_project.h"

namespace sinter {

// The kernels that the program of this manifest takes from others, by their names.
std::map<std::string, TakenKernel> taken_kernels(const std::string& manifest);

// What is not to be read stays as it is; `read` takes paths from the artifact's folder on,
// "policy_decode/kernels/dot.cu".
FileSet program_alone(FileSet files, const std::function<std::optional<std::string>(const std::string&)>& read);

}  // namespace sinter
