// Comparing tensors with what was expected.
#pragma once

#include <string>
#include <vector>

#include "ir/values/literal.h"

namespace sinter {

// A float is right if |got - expected| <= atol + rtol * |expected|, or within `ulp` representable numbers. NaN matches
// NaN, an infinity only itself, -0 matches +0; parts of complex numbers count by themselves. Other types must be equal.
struct Tolerance {
  double rtol = 0;
  double atol = 0;
  int64_t ulp = 0;
};

struct Comparison {
  bool ok = true;
  std::string text;  // a line a tensor
};

// Both must have the same number of tensors of the same shapes.
Comparison compare(const std::vector<Literal>& got, const std::vector<Literal>& expected, const Tolerance& tolerance);

}  // namespace sinter
