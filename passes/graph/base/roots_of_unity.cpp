#include "passes/graph/base/roots_of_unity.h"

#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

namespace sinter {

namespace {

// The root at so many eighths of an n-th of the circle, of its first eighth.
WideComplex root_at(int64_t eighths, int64_t n) {
  const long double angle =
      std::numbers::pi_v<long double> * static_cast<long double>(eighths) / static_cast<long double>(4 * n);
  return {std::cos(angle), std::sin(angle)};
}

// Of the first eighth of the circle and mirrored, so that symmetric roots are exactly symmetric.
template <class RootAt>
WideComplex mirrored_root(int64_t k, int64_t n, int sign, const RootAt& first_root) {
  int64_t eighths = 8 * (k % n);  // of the angle, in units of 2 pi / (8 n)
  const bool lower_half = eighths > 4 * n;
  if (lower_half) eighths = 8 * n - eighths;
  const bool left_half = eighths > 2 * n;
  if (left_half) eighths = 4 * n - eighths;
  const bool steep = eighths > n;
  if (steep) eighths = 2 * n - eighths;
  const WideComplex root = first_root(eighths);
  long double x = root.real(), y = root.imag();
  if (steep) std::swap(x, y);
  if (left_half) x = -x;
  const bool is_below = lower_half != (sign < 0);
  return {x, is_below && y != 0 ? -y : y};
}

}  // namespace

WideComplex root_of_unity(int64_t k, int64_t n, int sign) {
  return mirrored_root(k, n, sign, [&](int64_t eighths) { return root_at(eighths, n); });
}

RootsOfUnity::RootsOfUnity(int64_t n, int sign)
    : n_(n), unit_(std::gcd(int64_t{8}, 2 * n)), sign_(sign), of_angle_(static_cast<size_t>(n / unit_ + 1)) {}

WideComplex RootsOfUnity::operator()(int64_t k) {
  return mirrored_root(k, n_, sign_, [&](int64_t eighths) {
    WideComplex& root = of_angle_[static_cast<size_t>(eighths / unit_)];
    if (root == WideComplex()) root = root_at(eighths, n_);
    return root;
  });
}

std::vector<WideComplex> fourier_transform(std::vector<WideComplex> values) {
  const size_t n = values.size();
  for (size_t i = 1, j = 0; i < n; ++i) {
    size_t bit = n / 2;
    for (; (j & bit) != 0; bit /= 2) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(values[i], values[j]);
  }
  RootsOfUnity roots(static_cast<int64_t>(n), -1);
  for (size_t half = 1; half < n; half *= 2) {
    for (size_t k = 0; k < half; ++k) {
      const WideComplex root = roots(static_cast<int64_t>(k * (n / (2 * half))));
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
