// What a command compares or merges: an emitted folder, HLO text that is compiled first, or either in git.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "driver/commands/command.h"
#include "driver/system/git_revision.h"

namespace sinter {

// The files of a folder that sinter wrote, of what compile would write, or of REV:PATH, and the headers of the user's
// own that they include; nullopt with `status` set, having said why.
std::optional<FileSet> read_emitted(const std::string& what, const CompileFlags& flags, int& status);

// The same of several texts, which are programs of one artifact, called `name` if the flags do not say; or of one side.
std::optional<FileSet> read_emitted(const std::vector<std::string>& texts, const std::string& name, CompileFlags flags,
                                    int& status);

// Without those headers, which are no part of a folder: the files that its manifest lists, and the manifest.
FileSet only_emitted(FileSet files);

// The files of a folder that sinter wrote, as they are at a revision, and the headers of the user's own that they
// include; of the folder those that are wanted. nullopt with `error` set.
std::optional<FileSet> emitted_at(const GitPlace& place, const std::function<bool(const std::string&)>& wanted,
                                  std::string& error);

}  // namespace sinter
