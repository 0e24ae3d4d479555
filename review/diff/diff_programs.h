// Two emitted folders compared, program by program where a folder joins several.
#pragma once

#include <string>
#include <vector>

#include "review/diff/diff_folders.h"

namespace sinter {

struct ProgramDiff {
  FileSet before, after;  // what was compared; empty where there is no such program
  FolderDiff diff;
};

// One where neither folder joins programs. Otherwise programs of the same name are compared, by name, and then what
// stands around them, if somebody edited it or it has another name.
std::vector<ProgramDiff> diff_programs(FileSet before, FileSet after, const ForEachOf& for_each);

// The last of all verdicts.
Verdict verdict_of(const std::vector<ProgramDiff>& programs);

}  // namespace sinter
