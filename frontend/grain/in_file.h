// Being inside a file, outside of any function: names are the file's. Private to this room.
#pragma once

#include "frontend/grain/compiler.h"

namespace sinter::grain {

class InFile {
 public:
  InFile(Call*& current, const File* file, const DimValues& values) : current_(current), outside_(current) {
    call_.file = file;
    call_.values = values;
    call_.scopes.emplace_back();
    current = &call_;
  }
  InFile(const InFile&) = delete;
  InFile& operator=(const InFile&) = delete;
  ~InFile() { current_ = outside_; }

 private:
  Call*& current_;
  Call* outside_;
  Call call_;
};

// With its slash; empty where the path has none. What a file names is found from there.
inline std::string folder_of(const std::string& path) { return path.substr(0, path.find_last_of('/') + 1); }

inline std::string base_name(const std::string& path) { return path.substr(path.find_last_of('/') + 1); }

}  // namespace sinter::grain
