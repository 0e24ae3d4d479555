// What operations among devices, and calls that place values on devices, mean where there is one device only: a
// collective over a group of one is its operand.
#pragma once

#include <string>
#include <string_view>

#include "ir/module/module.h"

namespace sinter {

// Custom calls that say where values live, and compute nothing.
bool is_placement(std::string_view custom_call_target);

// True if the results have the types of the operands.
bool operands_are_results(const Instruction& instruction);

// Of a collective-permute: whether the device is its own target. Who is nobody's target receives zeros.
bool sends_to_itself(const Instruction& instruction);

// Empty for a collective that means something on one device, and for other operations.
std::string why_not_on_one_device(const Instruction& instruction);

}  // namespace sinter
