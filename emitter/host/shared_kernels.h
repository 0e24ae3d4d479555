// Kernels that several programs of one artifact have: the same code under the same name. The file of one stands in the
// folder of the first program that has it. The others declare it in their kernels.h, and call it as their own:
//
//   namespace policy_greedy_kernels {
//   namespace dot = policy_decode_kernels::dot;
#pragma once

#include <map>
#include <string>
#include <vector>

namespace sinter {

struct TakenKernel {
  std::string program;    // whose folder has the file
  std::string code_hash;  // SHA-256 of its kernel_code, as it was emitted
};

// Of a program; kernels by their names.
struct SharedKernels {
  std::map<std::string, TakenKernel> taken;
  std::map<std::string, std::vector<std::string>> given;  // the programs that launch it besides this one
};

// What the file of a program's kernel says to a compiler: without comments, and without the program's namespace.
std::string kernel_code(const std::string& text, const std::string& program);

// "policy_decode/kernels/dot.cu", from the artifact's folder on.
std::string path_of_taken(const std::string& program, const std::string& kernel);

// "namespace dot = policy_decode_kernels::dot;", as kernels.h says it.
std::string alias_of_taken(const std::string& program, const std::string& kernel);

}  // namespace sinter
