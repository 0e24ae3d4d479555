// FolderDiff as text for people and as JSON for programs (docs/review.md).
#pragma once

#include <string>

#include "review/diff/diff_folders.h"

namespace sinter {

// `all`: also kernels that are identical, and whole hunks.
std::string diff_text(const FolderDiff& diff, bool colour, bool all);
std::string diff_json(const FolderDiff& diff);

// What is said of a kernel behind its verdict, in one line.
std::string details_text(const KernelDiff& kernel);

// By how much the predicted time of a run grows: 0.05 for 5 % slower. 0 where it is not known.
double slower_by(const FolderDiff& diff);

}  // namespace sinter
