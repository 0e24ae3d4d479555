// Files of C++ code by their paths, and among them headers of the user's own, which kernels include for their device
// functions.
#pragma once

#include <string>

namespace sinter {

// A header, or what headers include ("table.inc"); what has no ending may stand for one of the library's ("cmath").
bool is_header(const std::string& path);

// Headers and sources.
bool may_be_included(const std::string& path);

// A header with an ending that no emitted folder has: "kernels/my.cuh", not "device/launch.cuh".
bool is_user_header(const std::string& path);

}  // namespace sinter
