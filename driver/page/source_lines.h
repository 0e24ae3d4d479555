// The lines of a model's own files, as instructions name them: by the last part of a path, and a number.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "ir/support/diagnostics.h"

namespace sinter {

class SourceLines {
 public:
  // They outlive it. Files that are called the same have no lines here, since it is not known which is meant.
  explicit SourceLines(const std::vector<Source>& sources);

  // Of line 1 and up, without the spaces around it; empty where it is not known.
  std::string_view line(const std::string& file, int64_t number) const;

 private:
  std::map<std::string, std::vector<std::string_view>> files_;
};

}  // namespace sinter
