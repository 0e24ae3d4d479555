#include "emitter/text/user_header.h"

#include <algorithm>
#include <iterator>

namespace sinter {

namespace {

// Of an emitted folder.
constexpr const char* kOwnFolders[] = {"include/", "device/", "cpu/", "runner/", "library/", "launcher/"};

}  // namespace

bool is_user_header(const std::string& path) {
  const bool is_header = path.ends_with(".cuh") || path.ends_with(".h") || path.ends_with(".hpp");
  if (!is_header || path == "kernels.h") return false;
  return std::none_of(std::begin(kOwnFolders), std::end(kOwnFolders),
                      [&](const char* folder) { return path.starts_with(folder); });
}

}  // namespace sinter
