#include "driver/system/python_sources.h"

#include <algorithm>
#include <filesystem>

#include "driver/system/files.h"

namespace sinter {

namespace {

namespace fs = std::filesystem;

// How many of the last parts of two paths are the same.
size_t common_parts(const fs::path& a, const fs::path& b) {
  const std::vector<fs::path> a_parts(a.begin(), a.end()), b_parts(b.begin(), b.end());
  size_t count = 0;
  while (count < std::min(a_parts.size(), b_parts.size()) &&
         a_parts[a_parts.size() - 1 - count] == b_parts[b_parts.size() - 1 - count])
    ++count;
  return count;
}

// Relative to the folder, sorted. Folders whose name starts with a dot hold no models.
std::vector<fs::path> python_files(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied, error);
  for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    if (entry->is_directory() && entry->path().filename().string().starts_with('.')) entry.disable_recursion_pending();
    if (entry->path().extension() == ".py" && entry->is_regular_file())
      files.push_back(entry->path().lexically_relative(folder));
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

std::function<std::vector<Source>(const std::vector<std::string>& paths)> sources_in(const std::string& folder) {
  return [folder](const std::vector<std::string>& paths) {
    const std::vector<fs::path> files = python_files(folder);
    std::vector<Source> sources;
    for (const std::string& path : paths) {
      const fs::path* best = nullptr;
      size_t most = 0, as_good = 0;
      for (const fs::path& file : files) {
        const size_t common = common_parts(file, path);
        if (common > most) {
          best = &file;
          most = common;
          as_good = 0;
        }
        as_good += common == most ? 1 : 0;
      }
      Source& source = sources.emplace_back();
      std::string error;
      if (best == nullptr || as_good > 1) continue;
      if (std::optional<std::string> text = read_file((fs::path(folder) / *best).string(), error))
        source = {.name = best->generic_string(), .text = std::move(*text)};
    }
    return sources;
  };
}

}  // namespace sinter
