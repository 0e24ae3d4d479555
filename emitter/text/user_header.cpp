#include "emitter/text/user_header.h"

#include <algorithm>
#include <iterator>

namespace sinter {

namespace {

// Of an emitted folder.
constexpr const char* kOwnFolders[] = {"include/", "device/", "cpu/", "runner/", "library/", "launcher/"};

constexpr const char* kEndings[] = {".cuh", ".h", ".hpp", ".hh", ".hxx", ".inc", ".inl", ".ipp", ".tpp", ".def"};

bool ends_as_header(const std::string& path) {
  return std::any_of(std::begin(kEndings), std::end(kEndings),
                     [&](const char* ending) { return path.ends_with(ending); });
}

}  // namespace

bool is_header(const std::string& path) {
  return ends_as_header(path) || path.find('.', path.rfind('/') + 1) == std::string::npos;
}

bool may_be_included(const std::string& path) {
  return is_header(path) || path.ends_with(".cu") || path.ends_with(".cpp");
}

bool is_user_header(const std::string& path) {
  if (!ends_as_header(path) || path == "kernels.h") return false;
  return std::none_of(std::begin(kOwnFolders), std::end(kOwnFolders),
                      [&](const char* folder) { return path.starts_with(folder); });
}

}  // namespace sinter
