// Whether a value is the one expected, as shared/conformance/README.md defines its checks.
#pragma once

#include <optional>
#include <string>

#include "ir/values/literal.h"

namespace sinter {

struct ValueCheck {
  std::optional<int64_t> max_ulp;  // representable numbers apart
  double absolute = 0;             // or: |got - expected| <= absolute + relative * |expected|
  double relative = 0;
  std::optional<double> relaxed;  // in place of the others: |got - expected| <= relaxed * max(|expected|, 1)
};

// Empty if the arrays agree, else the first difference. NaN agrees with NaN, an infinity only with itself, -0 with +0;
// integers and predicates must be equal.
std::string difference(const Literal& got, const Literal& expected, const ValueCheck& check);

}  // namespace sinter
