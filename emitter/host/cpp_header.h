// include/<name>/<name>.hpp: the C++ interface of a program, beside that in C.
#pragma once

#include <string>
#include <vector>

namespace sinter {

struct HostProgram;

std::string cpp_header_path(const std::string& name);
std::string emit_cpp_header(const HostProgram& host);

// The members `prefill` and `try_prefill` of an instance of several programs, `instance_->prefill` one of this program.
std::vector<std::string> emit_member_runs(const HostProgram& host, const std::string& member, const std::string& method,
                                          const std::string& status);

}  // namespace sinter
