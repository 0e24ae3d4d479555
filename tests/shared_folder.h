// The files that the project was given beside it: conformance cases, samples, large programs.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>

namespace sinter {

// The folder that SINTER_SHARED_DIR names. nullopt where it is unset, empty or names no folder, as in a user's clone: a
// test that reads shared files skips itself then. Such a test has the label `shared_files`, and .ci/run runs it
// without them as well.
inline std::optional<std::string> shared_folder() {
  const char* folder = std::getenv("SINTER_SHARED_DIR");
  std::error_code error;
  if (folder == nullptr || !std::filesystem::is_directory(folder, error)) return std::nullopt;
  return folder;
}

}  // namespace sinter
