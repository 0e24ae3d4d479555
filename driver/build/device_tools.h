// What building and running emitted code needs of this machine.
#pragma once

#include <string>

#include "driver/build/engine.h"

namespace sinter {

// What is missing to build and run on the device, and what to do; empty if nothing is. `compiler` is the compiler's
// name, `driver` the library of the GPU's driver.
std::string missing_for(Device device, const std::string& compiler, const std::string& driver = "libcuda.so.1");

}  // namespace sinter
