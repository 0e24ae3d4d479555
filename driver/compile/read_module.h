// The two languages of a program: HLO text, and Grain (frontend/grain) in files that end in .grain.
#pragma once

#include <memory>

#include "frontend/grain/parse_grain.h"
#include "ir/module/module.h"
#include "ir/support/diagnostics.h"

namespace CLI {
class App;
}

namespace sinter {

// Reads diagnostics.source() in its language. nullptr after an error; the module is not verified.
std::unique_ptr<Module> read_module(Diagnostics& diagnostics);

// --dims, --entry and --grain, which hold for every Grain file of the call.
void add_grain_flags(CLI::App& command);

}  // namespace sinter
