#include "emitter/host/user_headers.h"

#include <filesystem>
#include <vector>

#include "emitter/text/include_lines.h"
#include "emitter/text/user_header.h"

namespace sinter {

namespace {

// "kernels/../common.h" -> "common.h"; empty where that is outside of the folder that paths begin at.
std::string inside(const std::string& folder, const std::string& name) {
  const std::string path = (std::filesystem::path(folder) / name).lexically_normal().generic_string();
  return path.starts_with("../") || path.starts_with("/") ? "" : path;
}

}  // namespace

void add_user_header(const std::string& path, const HeaderReader& read, FileSet* headers) {
  std::vector<std::string> open = {path};
  while (!open.empty()) {
    const std::string header = open.back();
    open.pop_back();
    if (!is_user_header(header) || headers->contains(header)) continue;
    std::optional<std::string> text = read(header);
    if (!text) continue;
    const std::string folder = header.substr(0, header.rfind('/') + 1);
    for (const auto& [name, quoted] : include_lines(*text)) {
      if (quoted) open.push_back(inside(folder, name));
      open.push_back(inside("", name));
    }
    headers->emplace(header, std::move(*text));
  }
}

FileSet user_headers_of(const FileSet& files, const HeaderReader& read) {
  const auto find = [&](const std::string& path) {
    const bool is_ours = files.contains(path) || files.contains("include/" + path);
    return is_ours ? std::nullopt : read(path);
  };
  FileSet headers;
  for (const auto& [path, text] : files) {
    const bool is_launcher = path.find('/') == std::string::npos;
    if (!path.ends_with(".cu") || !(is_launcher || path.starts_with("kernels/"))) continue;
    for (const auto& [name, quoted] : include_lines(text)) {
      if (quoted) add_user_header(name, find, &headers);
    }
  }
  return headers;
}

}  // namespace sinter
