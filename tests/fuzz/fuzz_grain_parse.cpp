// libFuzzer: any Grain text either parses and is formatted, or is refused with a diagnostic; formatting again changes
// nothing, and what is wrong can be shown.
#include <cstdint>
#include <optional>
#include <string>

#include "frontend/grain/parse_grain.h"
#include "frontend/grain/text/format.h"
#include "ir/support/diagnostics.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace sinter;
  const Source source = {"input.grain", std::string(reinterpret_cast<const char*>(data), size)};
  grain_entries(source);
  Diagnostics diagnostics(source);
  const std::optional<std::string> formatted = format_grain(diagnostics);
  if (formatted.has_value() != diagnostics.ok()) __builtin_trap();
  diagnostics.render();
  if (!formatted) return 0;

  const Source formatted_source = {"formatted.grain", *formatted};
  Diagnostics again(formatted_source);
  if (format_grain(again) != formatted) __builtin_trap();
  return 0;
}
