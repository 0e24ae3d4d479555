#include "driver/gpus.h"

#include <algorithm>

#include "driver/files.h"
#include "ir/diagnostics.h"
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

std::vector<Gpu> own_gpus() {
  std::vector<Gpu> gpus;
  for (const std::string_view path : template_names()) {
    if (path.starts_with(kFolder)) gpus.push_back(own_gpu(path));
  }
  return gpus;
}

}  // namespace

std::optional<Gpu> find_gpu(const std::string& name, std::string& error) {
  if (!name.ends_with(kSuffix)) {
    std::string known;
    for (Gpu& gpu : own_gpus()) {
      if (gpu.name == name) return std::move(gpu);
      known += (known.empty() ? "" : ", ") + gpu.name;
    }
    error = "there is no GPU '" + name + "': " + known + ", or a .json file like those of templates/gpus";
    return std::nullopt;
  }
  const std::optional<std::string> text = read_file(name, error);
  if (!text) return std::nullopt;
  std::optional<Gpu> gpu = parse_gpu(*text, error);
  if (!gpu) error = name + ": " + error;
  return gpu;
}

Gpu default_gpu(const std::string& architectures) {
  const std::string first = architectures.substr(0, architectures.find(','));
  for (Gpu& gpu : own_gpus()) {
    if (std::find(gpu.default_for.begin(), gpu.default_for.end(), first) != gpu.default_for.end())
      return std::move(gpu);
  }
  return own_gpu("gpus/h200.json");
}

}  // namespace sinter
