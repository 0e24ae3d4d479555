#include "driver/functions/binding_file.h"

#include <llvm/ADT/StringRef.h>

#include <tuple>

namespace sinter {

namespace {

using llvm::StringRef;

std::optional<CallSide> side_of(StringRef word) {
  if (word == "device") return CallSide::kKernels;
  if (word == "host") return CallSide::kLauncher;
  return std::nullopt;
}

// "device my_gelu = kernels/my.cuh:ns::my_gelu", of a file in `folder`.
std::optional<FunctionBinding> parse_line(StringRef line, const std::string& folder) {
  const size_t blank = line.find_first_of(" \t");
  const std::optional<CallSide> side = side_of(line.substr(0, blank));
  if (!side || blank == StringRef::npos) return std::nullopt;
  const auto [target, function] = line.substr(blank).split('=');
  const StringRef path = function.trim();
  const std::string from = path.starts_with("/") ? "" : folder;
  return parse_binding(target.trim().str() + "=" + from + path.str(), *side);
}

}  // namespace

std::vector<FunctionBinding> read_bindings(const std::shared_ptr<const Source>& file, Diagnostics& diagnostics) {
  std::vector<FunctionBinding> bindings;
  const std::string folder = file->name.substr(0, file->name.rfind('/') + 1);
  StringRef line, rest = file->text;
  while (!rest.empty()) {
    std::tie(line, rest) = rest.split('\n');
    const StringRef said = line.split('#').first.trim();
    if (said.empty()) continue;
    if (std::optional<FunctionBinding> binding = parse_line(said, folder)) {
      binding->of_file = true;
      bindings.push_back(std::move(*binding));
      continue;
    }
    const Loc place = {.offset = static_cast<uint32_t>(said.data() - file->text.data())};
    diagnostics.error_in(file, place, "E0506", "no binding",
                         "device my_gelu = kernels/my.cuh:ns::my_gelu, or host ... for a function of whole arrays");
  }
  return bindings;
}

}  // namespace sinter
