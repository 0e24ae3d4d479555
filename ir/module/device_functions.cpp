#include "ir/module/device_functions.h"

namespace sinter {

std::string to_string(const DeviceFunctionName& name) { return name.header + ":" + name.function; }

bool calls_device_function(const Instruction& instruction) {
  return instruction.opcode == Opcode::kCustomCall &&
         instruction.annotations->frontend_attributes.contains(kDeviceFunctionAttribute);
}

DeviceFunctionName device_function(const Instruction& instruction) {
  const std::string& text = instruction.annotations->frontend_attributes.at(kDeviceFunctionAttribute);
  const size_t colon = text.find(':');
  if (colon == std::string::npos) return {.header = "", .function = text};
  return {.header = text.substr(0, colon), .function = text.substr(colon + 1)};
}

Family family_of(const Instruction& instruction) {
  return calls_device_function(instruction) ? Family::kElementwise : opcode_family(instruction.opcode);
}

}  // namespace sinter
