#include "driver/system/added_code.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "driver/system/files.h"
#include "emitter/text/user_header.h"
#include "review/verify/headers.h"

namespace sinter {

namespace fs = std::filesystem;

namespace {

constexpr const char* kOtherSources[] = {".c", ".cc", ".cxx"};

}  // namespace

bool is_code(const std::string& path) {
  const std::string name = path.substr(path.rfind('/') + 1);
  if (name.find('.') == std::string::npos) {
    // Only by the name of a header of the library, in whose place it is found.
    return std::ranges::any_of(stand_in_headers(), [&](const auto& header) { return header.first == name; });
  }
  return may_be_included(path) ||
         std::ranges::any_of(kOtherSources, [&](const char* end) { return path.ends_with(end); });
}

std::set<std::string> emitted_folders(const std::map<std::string, std::string>& hashes) {
  std::set<std::string> folders;
  for (const auto& [path, hash] : hashes) {
    if (path.find('/') != std::string::npos) folders.insert(path.substr(0, path.find('/')));
  }
  return folders;
}

bool is_apart(const std::string& folder) {
  const fs::path path(folder);
  std::error_code ignored;
  return path.filename() == "build" || path.filename() == ".git" || fs::exists(path / "CMakeCache.txt", ignored);
}

std::vector<std::string> added_code(const std::string& folder) {
  const std::map<std::string, std::string> hashes = emitted_hashes(folder);
  if (hashes.empty()) return {};
  const std::set<std::string> ours = emitted_folders(hashes);
  std::vector<std::string> added;
  std::error_code failed;
  for (auto at = fs::recursive_directory_iterator(folder, failed); !failed && at != fs::recursive_directory_iterator();
       at.increment(failed)) {
    const std::string path = at->path().lexically_relative(folder).generic_string();
    const bool is_ours = at.depth() == 0 && ours.contains(path);
    if (at->is_directory() && (is_ours || is_apart(at->path().string()))) at.disable_recursion_pending();
    if (at->is_regular_file() && is_code(path) && !hashes.contains(path)) added.push_back(path);
  }
  std::sort(added.begin(), added.end());
  return added;
}

}  // namespace sinter
