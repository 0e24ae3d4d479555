#include "emitter/text/user_header.h"

#include <algorithm>
#include <iterator>

namespace sinter {

namespace {

// Of an emitted folder.
constexpr const char* kOwnFolders[] = {"include/", "device/", "cpu/", "runner/", "library/", "launcher/"};

constexpr const char* kEndings[] = {".cuh", ".h", ".hpp", ".hh", ".hxx", ".inc", ".inl", ".ipp", ".tpp", ".def"};

}  // namespace

bool is_user_header(const std::string& path) {
  const bool is_header =
      std::any_of(std::begin(kEndings), std::end(kEndings), [&](const char* ending) { return path.ends_with(ending); });
  if (!is_header || path == "kernels.h") return false;
  return std::none_of(std::begin(kOwnFolders), std::end(kOwnFolders),
                      [&](const char* folder) { return path.starts_with(folder); });
}

}  // namespace sinter
