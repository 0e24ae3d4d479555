// Declarations of pointers to arrays, each with the array's shape as a comment.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace sinter {

struct DeclaredArray {
  std::string variable;  // "float* const sum ="
  std::string value;     // "at<float>(instance->workspace, 0);"
  std::string shape;     // "f32[4096]"
};

// Lines, indented by so many columns. Comments stand one under the other where that leaves no line too long; a value
// goes on a line of its own where it has to.
std::string print_declarations(const std::vector<DeclaredArray>& arrays, size_t indent);

}  // namespace sinter
