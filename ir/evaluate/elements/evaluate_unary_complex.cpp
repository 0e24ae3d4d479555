// Kernels of the unary complex ops that have a complex result: computed in complex<double>, rounded once for c64.
#include <cmath>
#include <complex>

#include "ir/evaluate/elements/evaluate_elements.h"
#include "ir/evaluate/elements/evaluate_elementwise.h"

namespace sinter::elements {
namespace {

using Complex = std::complex<double>;
using ComplexFunction = Complex (*)(Complex);

template <class Element, ComplexFunction kApply>
void run(const Kernel& kernel, const KernelArguments& arguments) {
  using Storage = typename Element::Storage;
  const Element element(kernel.operand);
  loop_unary<Storage, Storage>(arguments, [&](Storage x) { return element.store_wide(kApply(Complex(x))); });
}

template <ComplexFunction kApply>
KernelFunction for_complex(DType dtype) {
  if (dtype == DType::kC64) return &run<ComplexElement<float>, kApply>;
  if (dtype == DType::kC128) return &run<ComplexElement<double>, kApply>;
  return nullptr;
}

Complex sqrt(Complex z) { return std::sqrt(z); }
Complex exp(Complex z) {
  // Keeps a zero imaginary part exact, also where the magnitude overflows.
  if (z.imag() == 0) return {std::exp(z.real()), z.imag()};
  return std::exp(z);
}
Complex log(Complex z) {
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
Complex expm1(Complex z) {
  // e^x cos y - 1 = expm1(x) cos y - 2 sin^2(y / 2), without cancellation near zero.
  const double half_sine = std::sin(z.imag() / 2);
  return {std::expm1(z.real()) * std::cos(z.imag()) - 2 * half_sine * half_sine,
          z.imag() == 0 ? z.imag() : std::exp(z.real()) * std::sin(z.imag())};
}
Complex log1p(Complex z) {
  // log|1 + z| = log1p(x (x + 2) + y^2) / 2 while that is small.
  const double x = z.real();
  const double y = z.imag();
  const double phase = std::atan2(y, 1 + x);
  if (std::abs(x) < 0.5 && std::abs(y) < 0.5) return {std::log1p(x * (x + 2) + y * y) / 2, phase};
  return {log({1 + x, y}).real(), phase};
}
Complex rsqrt(Complex z) {
  if (z.imag() == 0 && z.real() > 0) return {1 / std::sqrt(z.real()), -z.imag()};
  if (z == Complex(0)) return {HUGE_VAL, std::nan("")};
  return 1.0 / std::sqrt(z);
}
Complex cbrt(Complex z) {
  if (z == Complex(0)) return z;
  return std::polar(std::cbrt(std::abs(z)), std::arg(z) / 3);
}
Complex sin(Complex z) { return std::sin(z); }
Complex cos(Complex z) { return std::cos(z); }
Complex tan(Complex z) { return std::tan(z); }
Complex sinh(Complex z) { return std::sinh(z); }
Complex cosh(Complex z) { return std::cosh(z); }
Complex tanh(Complex z) { return std::tanh(z); }
Complex asin(Complex z) { return std::asin(z); }
Complex acos(Complex z) { return std::acos(z); }
Complex asinh(Complex z) { return std::asinh(z); }
Complex acosh(Complex z) { return std::acosh(z); }
Complex atanh(Complex z) { return std::atanh(z); }
Complex logistic(Complex z) { return 1.0 / (1.0 + std::exp(-z)); }
Complex sign(Complex z) {
  if (z == Complex(0)) return z;
  return z / std::abs(z);
}

}  // namespace

KernelFunction find_complex_unary(Opcode opcode, DType dtype) {
  switch (opcode) {
    case Opcode::kSqrt:
      return for_complex<sqrt>(dtype);
    case Opcode::kRsqrt:
      return for_complex<rsqrt>(dtype);
    case Opcode::kCbrt:
      return for_complex<cbrt>(dtype);
    case Opcode::kExponential:
      return for_complex<exp>(dtype);
    case Opcode::kExponentialMinusOne:
      return for_complex<expm1>(dtype);
    case Opcode::kLog:
      return for_complex<log>(dtype);
    case Opcode::kLogPlusOne:
      return for_complex<log1p>(dtype);
    case Opcode::kSine:
      return for_complex<sin>(dtype);
    case Opcode::kCosine:
      return for_complex<cos>(dtype);
    case Opcode::kTan:
      return for_complex<tan>(dtype);
    case Opcode::kSinh:
      return for_complex<sinh>(dtype);
    case Opcode::kCosh:
      return for_complex<cosh>(dtype);
    case Opcode::kTanh:
      return for_complex<tanh>(dtype);
    case Opcode::kAsin:
      return for_complex<asin>(dtype);
    case Opcode::kAcos:
      return for_complex<acos>(dtype);
    case Opcode::kAsinh:
      return for_complex<asinh>(dtype);
    case Opcode::kAcosh:
      return for_complex<acosh>(dtype);
    case Opcode::kAtanh:
      return for_complex<atanh>(dtype);
    case Opcode::kLogistic:
      return for_complex<logistic>(dtype);
    case Opcode::kSign:
      return for_complex<sign>(dtype);
    default:
      return nullptr;
  }
}

}  // namespace sinter::elements
