// Headers of the user's own, which kernels include for their device functions.
#pragma once

#include <string>

namespace sinter {

// A header, or what headers include ("table.inc"), and none that an emitted folder has: "kernels/my.cuh", not
// "device/launch.cuh".
bool is_user_header(const std::string& path);

}  // namespace sinter
