// HLO text to Module: the whole grammar of hlo_text.md (docs/), in any style tools print it.
#pragma once

#include <memory>

#include "ir/module/module.h"
#include "ir/support/diagnostics.h"

namespace sinter {

// Reads diagnostics.source(). nullptr after a syntax error (up to Diagnostics::kMaxErrors are collected);
// unknown attributes and header fields, and elided constants `{...}`, give warnings. The result satisfies the
// structural invariants of module.h, but is not verified.
std::unique_ptr<Module> parse_hlo(Diagnostics& diagnostics);

}  // namespace sinter
