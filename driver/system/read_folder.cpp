#include "driver/system/read_folder.h"

#include <filesystem>

#include "driver/system/added_code.h"
#include "driver/system/files.h"

namespace sinter {

std::optional<FileSet> read_folder(const std::string& folder, std::string& error) {
  FileSet files;
  std::error_code failed;
  auto at = std::filesystem::recursive_directory_iterator(folder, failed);
  for (; !failed && at != std::filesystem::recursive_directory_iterator(); at.increment(failed)) {
    // A build is no part of it.
    if (at->is_directory() && is_apart(at->path().string())) at.disable_recursion_pending();
    if (!at->is_regular_file()) continue;
    const std::optional<std::string> text = read_file(at->path().string(), error);
    if (!text) return std::nullopt;
    files[std::filesystem::relative(at->path(), folder).generic_string()] = *text;
  }
  if (failed) {
    error = "cannot read " + folder + ": " + failed.message();
    return std::nullopt;
  }
  return files;
}

}  // namespace sinter
