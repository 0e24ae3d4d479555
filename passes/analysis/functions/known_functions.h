// Per-element functions that emitted code has a header for: a text that brings one of them along need not show it.
#pragma once

#include <string>
#include <vector>

#include "ir/module/module.h"

namespace sinter {

// A function of templates/device on scalars, whose result is a struct.
struct KnownFunction {
  std::string name;
  std::string header;
  std::string type;  // of the result
  std::vector<std::string> members;
  std::string value;  // what a result is called if nothing better is known
};

// The known function that a computation is for each element, with the same order of arguments and results; nullptr if
// it is none. What the computation does counts, not its name or how it orders and nests its sums.
const KnownFunction* known_function(const Computation& computation);

}  // namespace sinter
