// Host functions: functions of the user's own, in CUDA C++, that enqueue work on whole arrays. A custom call that is
// bound to one is made by the host between launches, like the call of a library:
//
//   ::nn::sort_rows(stream, operands..., results..., workspace, numbers...)
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ir/module/device_functions.h"
#include "ir/module/module.h"

namespace sinter {

// Frontend attributes of a bound custom call: the header and the function; what follows the pointers, as it is spelled
// ("/*columns=*/97, /*scale=*/0.5f"); the bytes of its workspace.
inline constexpr const char* kHostFunctionAttribute = "sinter_host_function";
inline constexpr const char* kHostNumbersAttribute = "sinter_host_numbers";
inline constexpr const char* kHostWorkspaceAttribute = "sinter_host_workspace";

struct HostFunction {
  DeviceFunctionName name;
  std::vector<std::string> numbers;  // as they are spelled
  int64_t workspace_bytes = 0;       // 0: the function takes none
};

bool calls_host_function(const Instruction& instruction);
// Of such a call.
HostFunction host_function(const Instruction& instruction);

// Of what to_string makes of a name.
DeviceFunctionName parse_function_name(const std::string& text);
// Of "/*columns=*/97, /*scale=*/0.5f" each.
std::vector<std::string> parse_numbers(std::string_view text);
// "sort_rows" of "nn::sort_rows".
std::string plain_name(const DeviceFunctionName& function);

}  // namespace sinter
