// Canonical HLO text. parse(print(m)) = m, printing is a fixpoint, and XLA reads it.
#pragma once

#include <string>

#include "ir/module/module.h"

namespace sinter {

struct PrintOptions {
  bool metadata = true;         // metadata={...} and the source tables
  bool large_constants = true;  // false: arrays of more than ten elements print as {...}
};

std::string print(const Module& module, const PrintOptions& options = {});
std::string print(const Computation& computation, const PrintOptions& options = {});
// One line without indentation, as it stands in print(module).
std::string print(const Instruction& instruction, const PrintOptions& options = {});

}  // namespace sinter
