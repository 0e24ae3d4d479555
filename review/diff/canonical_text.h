// A program written so that its names and the order of what does not depend on each other leave no trace. The text is
// complete, and each step to it keeps what the program computes: equal texts are programs with the same results. How
// good the order is decides only how often programs that are equal have equal texts.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "review/read/code.h"

namespace sinter {

struct CanonicalToken {
  std::string text;
  bool number = false;
  std::string shown, spelled;  // of a number
  int entity = -1;             // of a name: Code::entities
  int line = 0;
};

struct CanonicalOptions {
  // The order does not depend on numbers: two programs that differ in nothing else have the same order.
  bool without_numbers = false;
  // Parameters of kernels in any order.
  bool any_parameter_order = false;
};

// Of these roots. `renamed`: functions and variables that other files name or define, under the names to write.
std::vector<CanonicalToken> canonical_text(Code code, const std::vector<int>& roots, const CanonicalOptions& options,
                                           const std::map<std::string, std::string>& renamed = {});

}  // namespace sinter
