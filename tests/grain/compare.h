// One Grain text: compiled and evaluated, and interpreted.
#pragma once

#include <string>

#include "frontend/grain/parse_grain.h"

namespace sinter::grain_test {

enum class Outcome {
  kAgrees,
  kRefused,  // by the compiler, with an error
  kUnknown,  // the interpreter does not know it, or one of the two takes too long
  kDiffers,  // or the compiler has failed
};

struct Comparison {
  Outcome outcome = Outcome::kAgrees;
  std::string detail;  // one line; of kRefused the code of its first error
};

struct ComparisonOptions {
  GrainOptions grain;
  uint64_t seed = 0;      // of the inputs
  bool is_exact = false;  // by bits, but for the sign of zero; otherwise sums may be rounded otherwise
};

Comparison compare(const std::string& name, const std::string& text, const ComparisonOptions& options);

}  // namespace sinter::grain_test
