// A folder that joins several programs (emitter/joined/join_projects.h), taken apart again.
#pragma once

#include <map>
#include <string>

#include "emitter/host/emit_project.h"

namespace sinter {

// The programs by their names, each as a folder of its own would be (program_alone.h); empty where the folder is that
// of one program.
std::map<std::string, FileSet> joined_programs(const FileSet& files);

// "policy_decode, policy_greedy": the programs that launch the kernel of this file, "policy_decode/kernels/dot.cu", the
// one whose folder has it first; empty where no program has.
std::string launched_by(const std::map<std::string, FileSet>& programs, const std::string& path);

}  // namespace sinter
