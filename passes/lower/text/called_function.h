// A device function as its callers write it.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "ir/kernel/kernel.h"
#include "ir/module/module.h"

namespace sinter {

// How a call of a device function is written.
struct CalledFunction {
  std::string name;
  CType result;                      // kNamed where there are several results
  std::vector<std::string> members;  // of the result, where there are several
  std::vector<size_t> arguments;     // positions of the call's operands that are passed: those the function reads
};

// The function of a call; it is written before the kernel where no header has it (device_functions.h).
using CalledFunctions = std::function<const CalledFunction&(const Instruction& call)>;

}  // namespace sinter
