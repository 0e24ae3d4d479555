#include "driver/compile/gpus.h"

#include <llvm/ADT/StringExtras.h>
#include <algorithm>

#include "driver/system/files.h"
#include "templates/templates.h"

namespace sinter {

namespace {

constexpr std::string_view kFolder = "gpus/", kSuffix = ".json";

Gpu own_gpu(std::string_view path) {
  std::string error;
  std::optional<Gpu> gpu = parse_gpu(template_text(path), error);
  check(gpu.has_value(), "gpus", std::string(path) + ": " + error);
  return std::move(*gpu);
}

std::string_view name_of(std::string_view path) {
  path.remove_prefix(kFolder.size());
  path.remove_suffix(kSuffix.size());
  return path;
}

std::vector<std::string_view> own_paths() {
  std::vector<std::string_view> paths;
  for (const std::string_view path : template_names()) {
    if (path.starts_with(kFolder)) paths.push_back(path);
  }
  return paths;
}

}  // namespace

std::vector<std::string> gpu_names() {
  std::vector<std::string> names;
  for (const std::string_view path : own_paths()) names.emplace_back(name_of(path));
  return names;
}

std::optional<Gpu> find_gpu(const std::string& name, std::string& error, std::optional<Source>* read) {
  if (!name.ends_with(kSuffix)) {
    for (const std::string_view path : own_paths()) {
      if (name_of(path) == name) return own_gpu(path);
    }
    error = "there is no GPU '" + name + "': " + llvm::join(gpu_names(), ", ") +
            ", or a .json file like those of templates/gpus";
    return std::nullopt;
  }
  const std::optional<std::string> text = read_file(name, error);
  if (!text) return std::nullopt;
  std::optional<Gpu> gpu = parse_gpu(*text, error);
  if (!gpu) error = name + ": " + error;
  if (gpu && read != nullptr) *read = Source{name, *text};
  return gpu;
}

Gpu default_gpu(const std::string& architectures) {
  const std::string first = architectures.substr(0, architectures.find(','));
  for (const std::string_view path : own_paths()) {
    Gpu gpu = own_gpu(path);
    if (std::find(gpu.default_for.begin(), gpu.default_for.end(), first) != gpu.default_for.end()) return gpu;
  }
  return own_gpu("gpus/h200.json");
}

}  // namespace sinter
