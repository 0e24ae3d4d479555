// An emitted folder as it is on the disk.
#pragma once

#include <optional>
#include <string>

#include "emitter/host/emit_project.h"

namespace sinter {

// The files of a folder by their paths in it, but for those of builds and of git; nullopt with `error` set.
std::optional<FileSet> read_folder(const std::string& folder, std::string& error);

}  // namespace sinter
