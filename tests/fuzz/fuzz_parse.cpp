// libFuzzer: any text either parses and verifies or is refused with a diagnostic; what parses prints as text that
// parses to the same text.
#include <cstdint>
#include <memory>
#include <string>

#include "frontend/hlo/parse_hlo.h"
#include "ir/support/diagnostics.h"
#include "ir/text/print.h"
#include "ir/verify/verify.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace sinter;
  std::string text(reinterpret_cast<const char*>(data), size);
  const Source source = {"input", std::move(text)};
  Diagnostics diagnostics(source);
  const std::unique_ptr<Module> module = parse_hlo(diagnostics);
  if ((module == nullptr) == diagnostics.ok()) __builtin_trap();
  if (module == nullptr || !verify(*module, diagnostics)) return 0;

  const std::string printed = print(*module);
  const Source printed_source = {"printed", printed};
  Diagnostics again(printed_source);
  const std::unique_ptr<Module> reread = parse_hlo(again);
  if (reread == nullptr || print(*reread) != printed) __builtin_trap();
  return 0;
}
