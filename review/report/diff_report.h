// What a change did, as text for people and as JSON for programs (docs/review.md).
#pragma once

#include <string>

#include "review/diff/diff_programs.h"

namespace sinter {

// `all`: also kernels that are identical, and whole hunks.
std::string diff_text(const std::vector<ProgramDiff>& programs, bool colour, bool all);
std::string diff_json(const std::vector<ProgramDiff>& programs);

// "softmax"; where it had another name, "softmax -> normalise".
std::string kernel_name(const KernelDiff& kernel);

// "64 -> 96, 4096 -> 9216".
std::string extents_text(const std::vector<ExtentChange>& extents);

// "1 file that follows from these".
std::string counted_derived(size_t count);

// What is said of a kernel behind its verdict, in one line.
std::string details_text(const KernelDiff& kernel);

// By how much the predicted time of a run grows: 0.05 for 5 % slower. 0 where it is not known.
double slower_by(const FolderDiff& diff);

}  // namespace sinter
