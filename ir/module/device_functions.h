// Device functions: functions of the user's own, in CUDA C++, that compute one element of a value from one element each
// of others. A custom call that is bound to one is an elementwise operation like any other.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "ir/module/module.h"

namespace sinter {

// The frontend attribute of a bound custom call: the header, as kernels include it, and the function's qualified name,
// "kernels/my.cuh:ns::my_gelu".
inline constexpr const char* kDeviceFunctionAttribute = "sinter_device_function";

// Of a function of several results, that of each call of one of them: what it returns and the member that the call
// gives, "nn::Polar.radius".
inline constexpr const char* kDeviceResultAttribute = "sinter_device_result";

struct DeviceFunctionName {
  std::string header;    // "kernels/my.cuh"
  std::string function;  // "ns::my_gelu"
};
std::string to_string(const DeviceFunctionName& name);

// An attribute that binds a custom call.
bool calls_device_function(const Instruction& instruction);
// Of such a call.
DeviceFunctionName device_function(const Instruction& instruction);

struct DeviceResult {
  std::string type;    // "nn::Polar"
  std::string member;  // "radius"
};
std::string to_string(const DeviceResult& result);
// Of a call of a device function; nullopt where the function has one result.
std::optional<DeviceResult> device_result(const Instruction& instruction);

// That of the opcode; of a call that is bound, elementwise.
Family family_of(const Instruction& instruction);

}  // namespace sinter
