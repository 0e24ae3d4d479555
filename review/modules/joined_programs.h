// A folder that joins several programs (emitter/joined/join_projects.h), taken apart again.
#pragma once

#include <map>
#include <string>

#include "emitter/host/emit_project.h"

namespace sinter {

// The programs by their names, each as a folder of its own would be (program_alone.h); empty where the folder is that
// of one program.
std::map<std::string, FileSet> joined_programs(const FileSet& files);

}  // namespace sinter
