// When a number is the one expected, as shared/conformance/README.md defines its checks; standard C++ alone, since the
// worker of `./dev gpu` (bench/gpu/worker.cpp) runs where the compiler is not.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

namespace sinter {

struct ValueCheck {
  std::optional<int64_t> max_ulp;  // representable numbers apart
  double absolute = 0;             // or: |got - expected| <= absolute + relative * |expected|
  double relative = 0;
  std::optional<double> relaxed;  // in place of the others: |got - expected| <= relaxed * max(|expected|, 1)
};

// Of a float's bit pattern: neighbouring numbers have neighbouring keys; both zeros have the key 0. `has_sign`: of all
// types but f8e8m0fnu.
inline int64_t order_key(uint64_t bits, int width, bool has_sign) {
  if (!has_sign) return static_cast<int64_t>(bits);
  const uint64_t sign = uint64_t{1} << (width - 1);
  const auto magnitude = static_cast<int64_t>(bits & (sign - 1));
  return (bits & sign) != 0 ? -magnitude : magnitude;
}

// NaN agrees with NaN, an infinity only with itself, -0 with +0. `ulps_apart()`: the difference of both keys.
template <class Distance>
bool agrees(double got, double expected, const ValueCheck& check, const Distance& ulps_apart) {
  if (std::isnan(got) || std::isnan(expected)) return std::isnan(got) && std::isnan(expected);
  if (got == expected) return true;
  if (std::isinf(got) || std::isinf(expected)) return false;
  const double apart = std::abs(got - expected);
  if (check.relaxed) return apart <= *check.relaxed * std::max(std::abs(expected), 1.0);
  if (check.max_ulp) {
    const int64_t distance = ulps_apart();
    if (distance <= *check.max_ulp && -distance <= *check.max_ulp) return true;
  }
  return apart <= check.absolute + check.relative * std::abs(expected);
}

}  // namespace sinter
