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

Family family_of(const Instruction& instruction) {
  return calls_device_function(instruction) ? Family::kElementwise : opcode_family(instruction.opcode);
}

}  // namespace sinter
