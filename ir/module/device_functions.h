// Device functions: functions of the user's own, in CUDA C++, that compute one element of a value from one element each
// of others. A custom call that is bound to one is an elementwise operation like any other. Row functions compute a row
// of a value from a row each of others, and are called by all threads of a block.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

// Frontend attributes of a custom call that is bound to a row function: the header and the function; the numbers behind
// its pointers, as they are spelled ("/*columns=*/kColumns, /*scale=*/0.5f"); there where it is a template of the
// number of threads.
inline constexpr const char* kRowFunctionAttribute = "sinter_row_function";
inline constexpr const char* kRowNumbersAttribute = "sinter_row_numbers";
inline constexpr const char* kRowTemplateAttribute = "sinter_row_template";

struct RowFunction {
  DeviceFunctionName name;
  std::vector<std::string> numbers;
  bool is_template = false;
};
bool calls_row_function(const Instruction& instruction);
// Of such a call.
RowFunction row_function(const Instruction& instruction);

// That of the opcode; of a call that is bound, elementwise.
Family family_of(const Instruction& instruction);

}  // namespace sinter
