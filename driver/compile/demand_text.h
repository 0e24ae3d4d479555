// What the threads of one kernel compute that has all of a program: the demand graph as text, for tests of its domains
// and scopes (tests/text/demand).
#pragma once

#include <optional>
#include <string>

#include "ir/module/module.h"
#include "ir/support/diagnostics.h"

namespace sinter {

// `stage` is as a plan has it, without values: `stage map over [64]`, `stage row(warp) of [64,97]`. What is wrong with
// it is reported.
std::optional<std::string> demand_text(const Module& module, const std::string& stage, Diagnostics& diagnostics);

}  // namespace sinter
