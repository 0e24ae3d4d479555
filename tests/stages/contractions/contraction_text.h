// Random contractions as HLO text: dots whose dimensions come in any order and convolutions with any dim_labels, of all
// types, with random values computed before and after them.
#pragma once

#include <cstdint>
#include <string>

namespace sinter {

struct RandomContraction {
  std::string name, text;
  // What inputs are drawn from: few values, all sums of which are exact, whatever their order; infinities and NaNs
  // among them; or many, whose sums are rounded, within `bound` of the evaluator's (narrow results by one rounding
  // more).
  bool exact = true, special = false;
  double bound = 0;
};

// The same for a seed on every machine.
RandomContraction random_contraction(uint64_t seed);

}  // namespace sinter
