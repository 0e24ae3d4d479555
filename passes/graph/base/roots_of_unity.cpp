#include "passes/graph/base/roots_of_unity.h"

#include <cmath>
#include <numbers>

namespace sinter {

// Computed in the first eighth of the circle and mirrored, so that symmetric roots are exactly symmetric.
WideComplex root_of_unity(int64_t k, int64_t n, int sign) {
  int64_t eighths = 8 * (k % n);  // of the angle, in units of 2 pi / (8 n)
  const bool lower_half = eighths > 4 * n;
  if (lower_half) eighths = 8 * n - eighths;
  const bool left_half = eighths > 2 * n;
  if (left_half) eighths = 4 * n - eighths;
  const bool steep = eighths > n;
  if (steep) eighths = 2 * n - eighths;
  const long double angle =
      std::numbers::pi_v<long double> * static_cast<long double>(eighths) / static_cast<long double>(4 * n);
  long double x = std::cos(angle);
  long double y = std::sin(angle);
  if (steep) std::swap(x, y);
  if (left_half) x = -x;
  const bool is_below = lower_half != (sign < 0);
  return {x, is_below && y != 0 ? -y : y};
}

std::vector<WideComplex> fourier_transform(std::vector<WideComplex> values) {
  const size_t n = values.size();
  for (size_t i = 1, j = 0; i < n; ++i) {
    size_t bit = n / 2;
    for (; (j & bit) != 0; bit /= 2) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(values[i], values[j]);
  }
  for (size_t half = 1; half < n; half *= 2) {
    for (size_t k = 0; k < half; ++k) {
      const WideComplex root = root_of_unity(static_cast<int64_t>(k), static_cast<int64_t>(2 * half), -1);
      for (size_t start = k; start < n; start += 2 * half) {
        const WideComplex odd = values[start + half] * root;
        values[start + half] = values[start] - odd;
        values[start] += odd;
      }
    }
  }
  return values;
}

}  // namespace sinter
