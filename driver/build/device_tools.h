// What building and running emitted code needs of this machine.
#pragma once

#include <string>

#include "driver/build/engine.h"

namespace sinter {

// What is missing to build and run on the device, and what to do; empty if nothing is. `compiler` is the compiler's
// name, `driver` the library of the GPU's driver.
std::string missing_for(Device device, const std::string& compiler, const std::string& driver = "libcuda.so.1");

// The GPU of templates/gpus/ that a driver calls "NVIDIA H100 80GB HBM3": "h100"; empty if there is none.
std::string gpu_of_device(const std::string& device);

}  // namespace sinter
