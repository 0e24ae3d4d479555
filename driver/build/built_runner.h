// A runner of a program with weights that was built before.
#pragma once

#include <string>

#include "driver/build/engine.h"

namespace sinter {

// Paths are absolute.
struct BuiltRunner {
  std::string path;
  std::string weights;  // a file for it to read its weights of; empty: it has them, or there are none
};
RunResult run_built(const RunRequest& request, const BuiltRunner& runner);

}  // namespace sinter
