#include "ir/evaluate/elements/complex_functions.h"

#include <algorithm>
#include <cmath>

namespace sinter {

Complex complex_exp(Complex z) {
  // Keeps a zero imaginary part exact, also where the magnitude overflows.
  if (z.imag() == 0) return {std::exp(z.real()), z.imag()};
  return std::exp(z);
}

Complex complex_log(Complex z) {
  const double x = std::abs(z.real());
  const double y = std::abs(z.imag());
  // Near |z| = 1, log|z| by hypot would lose what tells |z| from 1.
  const double large = std::max(x, y);
  const double small = std::min(x, y);
  if (large > 0.5 && large < 2 && !std::isnan(x + y)) {
    return {std::log1p((large - 1) * (large + 1) + small * small) / 2, std::arg(z)};
  }
  return std::log(z);
}

Complex complex_expm1(Complex z) {
  // e^x cos y - 1 = expm1(x) cos y - 2 sin^2(y / 2), without cancellation near zero.
  const double half_sine = std::sin(z.imag() / 2);
  return {std::expm1(z.real()) * std::cos(z.imag()) - 2 * half_sine * half_sine,
          z.imag() == 0 ? z.imag() : std::exp(z.real()) * std::sin(z.imag())};
}

Complex complex_log1p(Complex z) {
  // log|1 + z| = log1p(x (x + 2) + y^2) / 2 while that is small.
  const double x = z.real();
  const double y = z.imag();
  const double phase = std::atan2(y, 1 + x);
  if (std::abs(x) < 0.5 && std::abs(y) < 0.5) return {std::log1p(x * (x + 2) + y * y) / 2, phase};
  return {complex_log({1 + x, y}).real(), phase};
}

Complex complex_rsqrt(Complex z) {
  if (z.imag() == 0 && z.real() > 0) return {1 / std::sqrt(z.real()), -z.imag()};
  if (z == Complex(0)) return {HUGE_VAL, std::nan("")};
  return 1.0 / std::sqrt(z);
}

Complex complex_cbrt(Complex z) {
  if (z == Complex(0)) return z;
  return std::polar(std::cbrt(std::abs(z)), std::arg(z) / 3);
}

Complex complex_sign(Complex z) {
  if (z == Complex(0)) return z;
  return z / std::abs(z);
}

}  // namespace sinter
