#include "ir/module/device_functions.h"

#include "ir/module/host_functions.h"

namespace sinter {

std::string to_string(const DeviceFunctionName& name) { return name.header + ":" + name.function; }

bool calls_device_function(const Instruction& instruction) {
  return instruction.opcode == Opcode::kCustomCall &&
         instruction.annotations->frontend_attributes.contains(kDeviceFunctionAttribute);
}

DeviceFunctionName device_function(const Instruction& instruction) {
  return parse_function_name(instruction.annotations->frontend_attributes.at(kDeviceFunctionAttribute));
}

std::string to_string(const DeviceResult& result) { return result.type + "." + result.member; }

std::optional<DeviceResult> device_result(const Instruction& instruction) {
  if (!calls_device_function(instruction)) return std::nullopt;
  const auto& attributes = instruction.annotations->frontend_attributes;
  const auto found = attributes.find(kDeviceResultAttribute);
  if (found == attributes.end()) return std::nullopt;
  const size_t dot = found->second.rfind('.');
  if (dot == std::string::npos) return std::nullopt;
  return DeviceResult{.type = found->second.substr(0, dot), .member = found->second.substr(dot + 1)};
}

bool calls_row_function(const Instruction& instruction) {
  return instruction.opcode == Opcode::kCustomCall &&
         instruction.annotations->frontend_attributes.contains(kRowFunctionAttribute);
}

RowFunction row_function(const Instruction& instruction) {
  const auto& attributes = instruction.annotations->frontend_attributes;
  RowFunction result = {.name = parse_function_name(attributes.at(kRowFunctionAttribute)),
                        .is_template = attributes.contains(kRowTemplateAttribute)};
  const auto numbers = attributes.find(kRowNumbersAttribute);
  if (numbers != attributes.end()) result.numbers = parse_numbers(numbers->second);
  return result;
}

Family family_of(const Instruction& instruction) {
  return calls_device_function(instruction) ? Family::kElementwise : opcode_family(instruction.opcode);
}

}  // namespace sinter
