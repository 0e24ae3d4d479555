// libFuzzer: any text either compiles or is refused with a diagnostic.
#include <cstdint>
#include <string>

#include "driver/compile/compile.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace sinter;
  const Source source = {"input", std::string(reinterpret_cast<const char*>(data), size)};
  Diagnostics diagnostics(source);
  const std::optional<Artifact> artifact = compile({.name = "fuzzed"}, diagnostics);
  if (artifact.has_value() != diagnostics.ok()) __builtin_trap();
  return 0;
}
