// Kernels of the unary float ops. What is not f64 is computed in f64 and rounded once, which makes sqrt, floor and
// their like correctly rounded, and the transcendental functions so in all but a few values of f32.
#include <cmath>

#include "ir/evaluate/elements/evaluate_elements.h"
#include "ir/evaluate/elements/evaluate_elementwise.h"

namespace sinter::elements {
namespace {

using RealFunction = double (*)(double);

template <class Element, RealFunction kApply>
void run(const Kernel& kernel, const KernelArguments& arguments) {
  using Storage = typename Element::Storage;
  const Element element(kernel.operand);
  loop_unary<Storage, Storage>(
      arguments, [&](Storage x) { return element.store_real(kApply(static_cast<double>(element.load(x)))); });
}

template <RealFunction kApply>
KernelFunction for_floats(DType dtype) {
  return visit_element(dtype, []<class Element>(const Element&) -> KernelFunction {
    if constexpr (kIsFloat<Element>) {
      return &run<Element, kApply>;
    } else {
      return nullptr;
    }
  });
}

double ceil(double x) { return std::ceil(x); }
double floor(double x) { return std::floor(x); }
double round_away(double x) { return std::round(x); }
double round_even(double x) { return std::nearbyint(x); }
double sqrt(double x) { return std::sqrt(x); }
double rsqrt(double x) { return 1 / std::sqrt(x); }
double cbrt(double x) { return std::cbrt(x); }
double exp(double x) { return std::exp(x); }
double expm1(double x) { return std::expm1(x); }
double log(double x) { return std::log(x); }
double log1p(double x) { return std::log1p(x); }
double sin(double x) { return std::sin(x); }
double cos(double x) { return std::cos(x); }
double tan(double x) { return std::tan(x); }
double sinh(double x) { return std::sinh(x); }
double cosh(double x) { return std::cosh(x); }
double tanh(double x) { return std::tanh(x); }
double asin(double x) { return std::asin(x); }
double acos(double x) { return std::acos(x); }
double asinh(double x) { return std::asinh(x); }
double acosh(double x) { return std::acosh(x); }
double atanh(double x) { return std::atanh(x); }
double erf(double x) { return std::erf(x); }
double logistic(double x) { return 1 / (1 + std::exp(-x)); }

}  // namespace

KernelFunction find_real_unary(Opcode opcode, DType dtype) {
  switch (opcode) {
    case Opcode::kCeil:
      return for_floats<ceil>(dtype);
    case Opcode::kFloor:
      return for_floats<floor>(dtype);
    case Opcode::kRoundNearestAfz:
      return for_floats<round_away>(dtype);
    case Opcode::kRoundNearestEven:
      return for_floats<round_even>(dtype);
    case Opcode::kSqrt:
      return for_floats<sqrt>(dtype);
    case Opcode::kRsqrt:
      return for_floats<rsqrt>(dtype);
    case Opcode::kCbrt:
      return for_floats<cbrt>(dtype);
    case Opcode::kExponential:
      return for_floats<exp>(dtype);
    case Opcode::kExponentialMinusOne:
      return for_floats<expm1>(dtype);
    case Opcode::kLog:
      return for_floats<log>(dtype);
    case Opcode::kLogPlusOne:
      return for_floats<log1p>(dtype);
    case Opcode::kSine:
      return for_floats<sin>(dtype);
    case Opcode::kCosine:
      return for_floats<cos>(dtype);
    case Opcode::kTan:
      return for_floats<tan>(dtype);
    case Opcode::kSinh:
      return for_floats<sinh>(dtype);
    case Opcode::kCosh:
      return for_floats<cosh>(dtype);
    case Opcode::kTanh:
      return for_floats<tanh>(dtype);
    case Opcode::kAsin:
      return for_floats<asin>(dtype);
    case Opcode::kAcos:
      return for_floats<acos>(dtype);
    case Opcode::kAsinh:
      return for_floats<asinh>(dtype);
    case Opcode::kAcosh:
      return for_floats<acosh>(dtype);
    case Opcode::kAtanh:
      return for_floats<atanh>(dtype);
    case Opcode::kErf:
      return for_floats<erf>(dtype);
    case Opcode::kLogistic:
      return for_floats<logistic>(dtype);
    default:
      return nullptr;
  }
}

}  // namespace sinter::elements
