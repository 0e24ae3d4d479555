#include "ir/module/host_functions.h"

#include <algorithm>
#include <string_view>

namespace sinter {

DeviceFunctionName parse_function_name(const std::string& text) {
  const size_t colon = text.find(':');
  if (colon == std::string::npos) return {.header = "", .function = text};
  return {.header = text.substr(0, colon), .function = text.substr(colon + 1)};
}

std::string plain_name(const DeviceFunctionName& function) {
  return function.function.substr(function.function.rfind(':') + 1);
}

bool calls_host_function(const Instruction& instruction) {
  return instruction.opcode == Opcode::kCustomCall &&
         instruction.annotations->frontend_attributes.contains(kHostFunctionAttribute);
}

HostFunction host_function(const Instruction& instruction) {
  const auto& attributes = instruction.annotations->frontend_attributes;
  HostFunction result = {.name = parse_function_name(attributes.at(kHostFunctionAttribute))};
  if (const auto numbers = attributes.find(kHostNumbersAttribute); numbers != attributes.end()) {
    for (std::string_view rest = numbers->second; !rest.empty();) {
      const size_t end = std::min(rest.find(", "), rest.size());
      result.numbers.emplace_back(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 2, rest.size()));
    }
  }
  if (const auto bytes = attributes.find(kHostWorkspaceAttribute); bytes != attributes.end())
    result.workspace_bytes = std::stoll(bytes->second);
  return result;
}

}  // namespace sinter
