// Reads emitted code with clang into Code.
#pragma once

#include <optional>
#include <string>

#include "emitter/host/emit_project.h"
#include "review/read/code.h"

namespace sinter {

// Reads the .cu files of one folder.
class FolderReader {
 public:
  explicit FolderReader(const FileSet& files);
  ~FolderReader();

  // What `path` defines, with all that it uses of the folder's headers, as device code of sm_90a. nullopt with
  // `error` set where clang does not take it. `instead`: files that are read in the place of the folder's. Several
  // threads may read at once.
  std::optional<Code> read(const std::string& path, std::string& error, const FileSet& instead = {}) const;

 private:
  struct Impl;
  Impl* impl_;
};

}  // namespace sinter
