// What the comment that opens an emitted kernel file says of it: true only of a file that nobody edited.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace sinter {

struct KernelComment {
  std::vector<std::string> arrays;    // "in x f32[64,97]", as they stand, in one blank each
  std::vector<std::string> formulas;  // "max = reduce(x, -inf), dimensions={1}, to_apply=maximum"
  std::string launch;                 // "A row a warp, 4 rows a block of 128 threads. Reads 24.8 kB, writes 24.8 kB."
};

KernelComment read_kernel_comment(const std::string& text);

// Formulas without the names of their values, which are those of Python's functions and variables: equal lists are of
// kernels that compute the same from the same arrays in the same order.
std::vector<std::string> nameless(const KernelComment& comment);

}  // namespace sinter
