// Kernels are called after the Python functions that their statements stand in.
#pragma once

#include <string>
#include <vector>

#include "passes/schedule/groups/group_values.h"
#include "passes/schedule/tree/tree.h"

namespace sinter {

// The values that a group computes, in the order of the text.
std::vector<const Instruction*> computed_by(const Group& group);

// The functions that all of the program's statements stand in, from the outermost.
std::vector<std::string> program_functions(const Module& module);

// A loop: the innermost Python function all its statements share. Others: the innermost that the first output and the
// heaviest operation, the last of several, share, else the function of either, if not all of the program stands in it;
// else the operation.
std::string kernel_name(const Module& module, const Group& group, const std::vector<std::string>& program_functions);

// Unique names of kernels, and of the parts of each launch names that no kernel has; the only kernel of a program
// without loops is called like the program.
void name_kernels(const std::string& program, Tree* tree);

// The kernel items of a tree, in order; whether one has a loop.
void collect_kernels(std::vector<TreeNode>& items, std::vector<TreeNode*>* kernels);
bool has_loop(const TreeNode& kernel);

}  // namespace sinter
