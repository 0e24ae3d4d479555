#include "ir/module/host_functions.h"

#include <algorithm>
#include <string_view>

namespace sinter {

DeviceFunctionName parse_function_name(const std::string& text) {
  const size_t colon = text.find(':');
  if (colon == std::string::npos) return {.header = "", .function = text};
  return {.header = text.substr(0, colon), .function = text.substr(colon + 1)};
}

std::vector<std::string> parse_numbers(std::string_view text) {
  std::vector<std::string> numbers;
  while (!text.empty()) {
    const size_t end = std::min(text.find(", "), text.size());
    numbers.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 2, text.size()));
  }
  return numbers;
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
  const auto numbers = attributes.find(kHostNumbersAttribute);
  if (numbers != attributes.end()) result.numbers = parse_numbers(numbers->second);
  if (const auto bytes = attributes.find(kHostWorkspaceAttribute); bytes != attributes.end())
    result.workspace_bytes = std::stoll(bytes->second);
  return result;
}

}  // namespace sinter
