// libFuzzer: any Grain text either becomes a valid module, of which kernels are made, or is refused with a diagnostic.
// Of several entries, the first three.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "driver/compile/compile.h"
#include "frontend/grain/parse_grain.h"

namespace sinter {
namespace {

void compile_entry(const Source& source, const std::string& entry) {
  CompileOptions options = {.name = "fuzzed"};
  options.grain.entry = entry;
  options.grain.read_file = [](const std::string&, std::string& error) -> std::optional<std::string> {
    error = "no such file";
    return std::nullopt;
  };
  Diagnostics diagnostics(source);
  const std::optional<Artifact> artifact = compile(options, diagnostics);
  if (artifact.has_value() != diagnostics.ok()) __builtin_trap();
  diagnostics.render();
}

}  // namespace
}  // namespace sinter

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace sinter;
  const Source source = {"input.grain", std::string(reinterpret_cast<const char*>(data), size)};
  const std::vector<GrainEntry> entries = grain_entries(source);
  if (entries.empty()) compile_entry(source, "");
  for (size_t i = 0; i < entries.size() && i < 3; ++i) compile_entry(source, entries[i].name);
  return 0;
}
