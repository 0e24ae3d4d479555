// Several --entry or --dims of a Grain file: a program each, in a folder that joins them.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "driver/commands/command.h"

namespace sinter {

// True where the flags name more than one program.
bool are_several(const CompileFlags& flags);

// The flags of each, which has a name of its own; nullopt, having said why.
std::optional<std::vector<CompileFlags>> flags_of_each(const CompileFlags& flags, const std::string& file);

// Their folder, of the folders of each by their names.
FileSet joined_folder(const CompileFlags& flags, const Source& source, const std::map<std::string, FileSet>& projects);

}  // namespace sinter
