// The other choice: a tree in which a value that goes through device memory is computed again by each kernel that reads
// it, with what else only the kernel that stores it has.
//
//   kernel sum_rows grid 64 block 32 {            kernel divide_rows grid 16 block 128 {
//     stage row(block) {sums}                       stage map {sums wide quotients}
//   }                                       =>    }
//   kernel divide_rows grid 16 block 128 {
//     stage map {wide quotients}
//   }
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ir/module/module.h"
#include "passes/schedule/tree/tree.h"

namespace sinter {

struct Recomputed {
  Tree tree;
  std::vector<std::string> kernels;  // or parts of them: those that compute the value now
};

// nullopt where a tree cannot say so: of results of the program, of what loops and branches of the host read or are,
// and of loops. Whether the kernels can be lowered remains to be tried.
std::optional<Recomputed> recompute(const InstructionsByName& instructions, const Tree& tree, const std::string& value);

// Takes a kernel, one of the tree's that is not split, out of it: those that read what it stores compute that, and what
// of it are results. The values that it stored; nullopt, the tree then being of no use, where a tree cannot say so.
std::optional<std::vector<std::string>> dissolve(const InstructionsByName& instructions, Tree* tree,
                                                 const TreeNode* kernel);

}  // namespace sinter
