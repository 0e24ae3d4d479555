// Programs with arrays of 2^31 elements and more, of which few elements are looked at.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sinter {

// One element of an input (to be set: all others are zero) or of an output (to be looked at).
struct LargeCell {
  size_t array = 0;
  int64_t element = 0;  // row-major
  double value = 0;
};

struct LargeProgram {
  std::string name;
  std::string text;                 // of the entry, without its braces; `add`, `larger` and `second` are computations
  std::vector<LargeCell> inputs;    // arrays by parameter
  std::vector<LargeCell> expected;  // arrays by result
  std::string error = {};           // the code that it is refused with instead: "E0304"
};

std::vector<LargeProgram> large_programs();

}  // namespace sinter
