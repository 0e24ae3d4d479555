// Complex numbers of the device helpers, against std::complex in double precision.
#include "device/complex.cuh"

#include <gtest/gtest.h>

#include <complex>
#include <functional>

namespace {

template <class T>
std::complex<double> wide(Complex<T> z) {
  return {static_cast<double>(z.real), static_cast<double>(z.imag)};
}

// Relative to the result's size.
template <class T>
void expect_near(Complex<T> actual, std::complex<double> expected, double tolerance, const char* what, Complex<T> z) {
  const double error = std::abs(wide(actual) - expected) / std::max(std::abs(expected), 1e-30);
  EXPECT_LE(error, tolerance) << what << "(" << z.real << " + " << z.imag << "i) is " << actual.real << " + "
                              << actual.imag << "i, not " << expected.real() << " + " << expected.imag() << "i";
}

template <class T>
void check_functions(double tolerance) {
  using Z = std::complex<double>;
  const double values[] = {-7.5, -2, -1, -0.75, -1e-3, 0, 1e-4, 0.5, 1, 1.25, 3, 8};
  for (const double x : values) {
    for (const double y : values) {
      if (x == 0 && y == 0) continue;
      const Complex<T> z = {static_cast<T>(x), static_cast<T>(y)};
      const Z w = wide(z);
      expect_near(exp(z), std::exp(w), tolerance, "exp", z);
      expect_near(log(z), std::log(w), tolerance * (std::abs(std::abs(w) - 1) < 1e-9 ? 2 : 1), "log", z);
      expect_near(sqrt(z), std::sqrt(w), tolerance, "sqrt", z);
      expect_near(rsqrt(z), 1.0 / std::sqrt(w), tolerance, "rsqrt", z);
      expect_near(cbrt(z), std::polar(std::cbrt(std::abs(w)), std::arg(w) / 3), tolerance, "cbrt", z);
      expect_near(sinh(z), std::sinh(w), tolerance, "sinh", z);
      expect_near(cosh(z), std::cosh(w), tolerance, "cosh", z);
      expect_near(tanh(z), std::tanh(w), tolerance, "tanh", z);
      expect_near(sin(z), std::sin(w), tolerance, "sin", z);
      expect_near(cos(z), std::cos(w), tolerance, "cos", z);
      expect_near(tan(z), std::tan(w), tolerance, "tan", z);
      expect_near(asin(z), std::asin(w), 8 * tolerance, "asin", z);
      expect_near(acos(z), std::acos(w), 8 * tolerance, "acos", z);
      expect_near(asinh(z), std::asinh(w), 8 * tolerance, "asinh", z);
      expect_near(acosh(z), std::acosh(w), 8 * tolerance, "acosh", z);
      if (std::abs(x) != 1 || y != 0) expect_near(atanh(z), std::atanh(w), 8 * tolerance, "atanh", z);
      expect_near(logistic(z), 1.0 / (1.0 + std::exp(-w)), tolerance, "logistic", z);
      expect_near(sign(z), w / std::abs(w), tolerance, "sign", z);
      expect_near(pow(z, Complex<T>{T(1.5), T(-0.5)}), std::pow(w, Z(1.5, -0.5)), 8 * tolerance, "pow", z);
      EXPECT_NEAR(static_cast<double>(abs(z)), std::abs(w), tolerance * std::abs(w));
      for (const double v : values) {
        const Complex<T> other = {static_cast<T>(v), T(0.75)};
        expect_near(z * other, w * wide(other), 2 * tolerance, "multiply", z);
        expect_near(z / other, w / wide(other), 2 * tolerance, "divide", z);
      }
    }
  }
}

TEST(ComplexNumbers, OfFloatAgreeWithStd) { check_functions<float>(2e-6); }
TEST(ComplexNumbers, OfDoubleAgreeWithStd) { check_functions<double>(4e-15); }

// Near zero and near one, where the plain formulas lose everything.
TEST(ComplexNumbers, SmallArguments) {
  const Complex<double> tiny = {3e-12, -2e-12};
  const std::complex<double> w = wide(tiny);
  expect_near(expm1(tiny), w + w * w / 2.0, 1e-15, "expm1", tiny);
  expect_near(log1p(tiny), w - w * w / 2.0, 1e-15, "log1p", tiny);
  expect_near(Complex<double>{log(Complex<double>{1, 1e-6}).real, 0}, 5e-13, 1e-11, "log", tiny);
}

TEST(ComplexNumbers, Edges) {
  const Complex<float> zero = {0, 0}, one = {1, 0};
  EXPECT_TRUE(sign(zero) == zero);
  EXPECT_TRUE(sqrt(zero) == zero);
  EXPECT_TRUE(pow(zero, zero) == one);
  EXPECT_TRUE(pow(zero, one) == zero);
  EXPECT_TRUE(cbrt(zero) == zero);
  EXPECT_EQ(abs(Complex<float>{3e38f, 3e38f}), INFINITY);
  EXPECT_EQ(abs(Complex<float>{3e30f, 4e30f}), 5e30f);
  // No step overflows where the result does not.
  expect_near(Complex<float>{1e30f, 2e30f} / Complex<float>{2e30f, 1e30f}, {0.8, 0.6}, 1e-6, "divide", one);
  expect_near(sqrt(Complex<float>{-3e38f, 3e38f}), std::sqrt(std::complex<double>(-3e38, 3e38)), 1e-6, "sqrt", one);
  expect_near(sqrt(Complex<float>{1e-44f, 0}), std::sqrt(std::complex<double>(1e-44f, 0)), 1e-6, "sqrt", one);
  expect_near(tanh(Complex<float>{100, 1}), {1, 0}, 1e-6, "tanh", one);
  // On the branch cut, the sign of zero says on which side.
  EXPECT_EQ(sqrt(Complex<double>{-4, 0.0}).imag, 2);
  EXPECT_EQ(sqrt(Complex<double>{-4, -0.0}).imag, -2);
  EXPECT_EQ(log(Complex<double>{-1, -0.0}).imag, -M_PI);
  EXPECT_EQ(exp(Complex<float>{1000, 0}).real, INFINITY);
  EXPECT_EQ(exp(Complex<float>{1000, 0}).imag, 0);
  EXPECT_TRUE(Complex<float>({1, 2}) != Complex<float>({1, 3}));
  const Complex<float> infinite = Complex<float>{1, -2} / zero;
  EXPECT_EQ(infinite.real, INFINITY);
  EXPECT_EQ(infinite.imag, -INFINITY);
}

TEST(ComplexNumbers, Atan2) {
  const Complex<double> y = {1, 0}, x = {-2, 0};
  expect_near(atan2(y, x), {std::atan2(1.0, -2.0), 0}, 1e-14, "atan2", y);
}

}  // namespace
