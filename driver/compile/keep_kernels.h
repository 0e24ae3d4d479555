// Kernels that people edited and keep: their first line is `// sinter: keep`. They stay while what they are called with
// and what they are to compute stay.
#pragma once

#include <string>

#include "emitter/host/emit_project.h"

namespace sinter {

// Puts the kept kernels of a folder in the place of those that are emitted now. False, with what changed in `error`,
// where one of them may not stay.
bool keep_kernels(const FileSet& folder, FileSet* files, std::string& error);

}  // namespace sinter
