// Per-element functions that emitted code has a header for, ours or the user's: a text that brings one of them along
// need not show it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ir/module/module.h"

namespace sinter {

// A function on scalars, whose result is a struct.
struct KnownFunction {
  std::string name;  // as kernels call it: "::nn::polar" of the user's own
  std::string header;
  std::string type;  // of the result
  std::vector<std::string> members;
  std::string value;  // what a result is called if nothing better is known
};

// The known function that a computation is for each element, with the same order of arguments and results; nullopt if
// it is none. Of functions of ours, what the computation does counts, not its name or how it orders and nests its sums.
std::optional<KnownFunction> known_function(const Computation& computation);

// Whether the computation is a device function of the user's own that gives several results: a tuple of calls, one for
// each, of all parameters in their order.
bool is_user_function(const Computation& computation);

}  // namespace sinter
