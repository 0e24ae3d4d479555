// include/<name>/<name>.hpp: the C++ interface of a program, beside that in C.
#pragma once

#include <string>

namespace sinter {

struct HostProgram;

std::string cpp_header_path(const std::string& name);
std::string emit_cpp_header(const HostProgram& host);

}  // namespace sinter
