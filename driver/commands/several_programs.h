// Several programs as one artifact: several texts, or several --entry or --dims of a Grain file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "driver/commands/command.h"

namespace sinter {

// One of the programs that a command line names.
struct ProgramCall {
  std::string file;
  std::string entry;  // what tells it from the others: "prefill"
  CompileFlags flags;
};

// True where the command line names more than one program.
bool are_several(const CompileFlags& flags, size_t files = 1);

// Each with flags that name it alone, in their order; nullopt, having said why.
std::optional<std::vector<ProgramCall>> calls_of_each(const CompileFlags& flags, const std::vector<std::string>& files);

// A program that is planned (CompileOptions::plan_only), and what of.
struct PlannedProgram {
  std::string entry;
  Source source;
  CompileOptions options;
  Artifact artifact;
};

// Emits all of them, and their folder; nullopt, having said why, where they cannot share weights.
std::optional<FileSet> joined_folder(const CompileFlags& flags, std::vector<PlannedProgram>& programs);

// Of a folder that joins programs, the files that are none of theirs, and the headers that these include.
FileSet files_over(const FileSet& folder);

}  // namespace sinter
