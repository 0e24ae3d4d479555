// Which functions of headers custom calls stand for, as the command line says it:
//
//   --device-function my_gelu=kernels/my.cuh:ns::my_gelu   computes each element
//   --host-function sort_rows=kernels/my.cuh:ns::sort_rows   enqueues work on whole arrays
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ir/module/device_functions.h"
#include "review/read/device_header.h"

namespace sinter {

struct FunctionBinding {
  std::string target;       // "my_gelu"
  DeviceFunctionName name;  // the header as emitted files include it
  std::string folder;       // that the header's path begins at: "", the current folder, or "/home/me/kernels/"
  CallSide side = CallSide::kKernels;
  bool of_file = false;  // that several programs may share: not every one calls it
};

// Of a header at a path as the user has it. One that leaves the current folder is included by its file name.
FunctionBinding binding_of(std::string target, const std::string& header, std::string function, CallSide side);

// "my_gelu=kernels/my.cuh:ns::my_gelu"; nullopt where the text is something else.
std::optional<FunctionBinding> parse_binding(const std::string& text, CallSide side);

// "--device-function", "--host-function".
std::string_view option_of(CallSide side);

// As the manifest records them: " --device-function=my_gelu=kernels/my.cuh:ns::my_gelu".
std::string binding_text(const std::vector<FunctionBinding>& functions);

}  // namespace sinter
