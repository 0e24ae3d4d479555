// The verdict on two files in all builds that their #if, #ifdef and #elif tell apart: another device, the CPU, NDEBUG.
#pragma once

#include <map>
#include <string>

#include "review/diff/compare_code.h"
#include "review/read/read_code.h"

namespace sinter {

// A file of a folder that was read.
struct ReadFile {
  const FileSet& files;
  const FolderReader& reader;
  std::string path;
  const Code& code;
};

// What the folder after calls otherwise than the folder before, by its names now.
struct Renaming {
  std::map<std::string, std::string> names;  // as compare_code takes them
  std::map<std::string, std::string> files;  // headers
  std::map<std::string, std::string> stems;  // what all names in those headers begin with, "warmth_" and "heat_"
};

// As compare_code says, where that holds of each build; kUnknown where it does not, or that cannot be found out. What
// stands in other files of the folder, headers of the user's own apart, is taken to be the same in all builds where
// both folders have the same text of it.
CodeComparison compare_builds(const ReadFile& before, const ReadFile& after, const Renaming& renaming = {});

}  // namespace sinter
