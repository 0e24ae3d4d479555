// What a command compares or merges: an emitted folder, HLO text that is compiled first, or either in git.
#pragma once

#include <optional>
#include <string>

#include "driver/commands/command.h"

namespace sinter {

// The files of a folder that sinter wrote, of what compile would write, or of REV:PATH, and the headers of the user's
// own that they include; nullopt with `status` set, having said why.
std::optional<FileSet> read_emitted(const std::string& what, const CompileFlags& flags, int& status);

// Without those headers, which are no part of a folder: the files that its manifest lists, and the manifest.
FileSet only_emitted(FileSet files);

}  // namespace sinter
