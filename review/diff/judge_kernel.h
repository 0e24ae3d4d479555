// What a change did to a kernel: whether it computes something else, only runs otherwise, or differs in names, numbers
// and text.
#pragma once

#include "review/diff/folder_side.h"
#include "review/modules/module_changes.h"

namespace sinter {

// Of the pair of kernels that `diff` names, whose codes are read: all else that it says. `modules`: what both folders
// compute; nullptr where one does not say it.
void judge_kernel(const Side& before, const Side& after, const ModulePair* modules, KernelDiff* diff);

// Whether both folders were compiled from one text, which imports the same.
bool same_input(const Side& before, const Side& after);

}  // namespace sinter
