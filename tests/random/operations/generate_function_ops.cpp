// Functions of the mathematical library: of few numbers, so that the results can be settled (settle.h).
#include <cmath>

#include "tests/random/operations/generate_ops.h"
#include "tests/random/operations/settle.h"

namespace sinter {
namespace {

using Complex = std::complex<double>;

struct RealFunction {
  Opcode opcode;
  double (*value)(double);
  double least, most;  // of the arguments
};

double logistic(double x) { return 1 / (1 + std::exp(-x)); }
double rsqrt(double x) { return 1 / std::sqrt(x); }

constexpr RealFunction kRealFunctions[] = {
    {Opcode::kExponential, std::exp, -8, 8}, {Opcode::kExponentialMinusOne, std::expm1, -8, 8},
    {Opcode::kLog, std::log, -1, 8},         {Opcode::kLogPlusOne, std::log1p, -1, 8},
    {Opcode::kSine, std::sin, -8, 8},        {Opcode::kCosine, std::cos, -8, 8},
    {Opcode::kTan, std::tan, -8, 8},         {Opcode::kTanh, std::tanh, -8, 8},
    {Opcode::kSinh, std::sinh, -8, 8},       {Opcode::kCosh, std::cosh, -8, 8},
    {Opcode::kAsin, std::asin, -1, 1},       {Opcode::kAcos, std::acos, -1, 1},
    {Opcode::kAsinh, std::asinh, -8, 8},     {Opcode::kAcosh, std::acosh, 0, 8},
    {Opcode::kAtanh, std::atanh, -1, 1},     {Opcode::kErf, std::erf, -8, 8},
    {Opcode::kCbrt, std::cbrt, -8, 8},       {Opcode::kRsqrt, rsqrt, 0, 8},
    {Opcode::kLogistic, logistic, -8, 8},
};

struct ComplexFunction {
  Opcode opcode;
  Complex (*value)(Complex);
  bool has_pole;  // among integers without a positive real part
};

constexpr ComplexFunction kComplexFunctions[] = {
    {Opcode::kExponential, [](Complex z) { return std::exp(z); }, false},
    {Opcode::kExponentialMinusOne, [](Complex z) { return std::exp(z) - 1.0; }, false},
    {Opcode::kLog, [](Complex z) { return std::log(z); }, true},
    {Opcode::kLogPlusOne, [](Complex z) { return std::log(1.0 + z); }, true},
    {Opcode::kSine, [](Complex z) { return std::sin(z); }, false},
    {Opcode::kCosine, [](Complex z) { return std::cos(z); }, false},
    {Opcode::kTan, [](Complex z) { return std::tan(z); }, false},
    {Opcode::kTanh, [](Complex z) { return std::tanh(z); }, false},
    {Opcode::kSqrt, [](Complex z) { return std::sqrt(z); }, false},
    {Opcode::kRsqrt, [](Complex z) { return 1.0 / std::sqrt(z); }, true},
    {Opcode::kLogistic, [](Complex z) { return 1.0 / (1.0 + std::exp(-z)); }, false},
    {Opcode::kAbs, [](Complex z) { return Complex(std::abs(z)); }, false},
    {Opcode::kSign, [](Complex z) { return z == 0.0 ? z : z / std::abs(z); }, false},
};

bool is_function_type(DType dtype) { return is_complex(dtype) || (is_float(dtype) && dtype != DType::kF8E8M0FNU); }

// Multiples of `step`, a power of two, from `least` to `most`; empty if the type lacks one.
std::vector<double> multiples(DType dtype, double step, double least, double most) {
  std::vector<double> values;
  Literal literal(Shape::scalar(dtype));
  for (double value = least; value <= most; value += step) {
    literal.set_real(0, value);
    if (literal.real_at(0) != value) return {};
    values.push_back(value);
  }
  return values;
}

// `from` made a multiple of `step` in this range.
Term multiple(Draft& draft, const Term& from, double step, double least, double most) {
  const DType dtype = from.dtype();
  Term result = tame(draft, from, std::max(-least, most) / step);
  if (-least != most) {
    const Term low = constant(draft, dtype, least / step), high = constant(draft, dtype, most / step);
    result = add(draft, Opcode::kClamp, {low, result, high}, result.facts);
  }
  if (step == 1) return result;
  return add(draft, Opcode::kMultiply, {result, splat(draft, dtype, step, result.dims())},
             {.magnitude = std::max(-least, most), .integral = false});
}

// A complex number with integer parts, its real part moved up by `shift`.
struct ComplexArgument {
  Term term;
  std::vector<Complex> values;
};

ComplexArgument complex_argument(Draft& draft, const Term& from, int limit, int shift) {
  ComplexArgument result{.term = tame(draft, from, limit), .values = {}};
  if (shift != 0) {
    const Term shifts = splat(draft, from.dtype(), shift, from.dims());
    result.term = add(draft, Opcode::kAdd, {result.term, shifts},
                      {.magnitude = static_cast<double>(limit + shift), .integral = true});
  }
  for (int re = -limit; re <= limit; ++re) {
    for (int im = -limit; im <= limit; ++im) result.values.emplace_back(re + shift, im);
  }
  return result;
}

void add_real_function(Draft& draft, const Term& from) {
  Random& random = draft.random();
  const RealFunction& function = kRealFunctions[random.below(std::size(kRealFunctions))];
  const double step = random.chance(50) ? 1 : random.chance(50) ? 0.5 : 0.25;
  const std::vector<double> arguments = multiples(from.dtype(), step, function.least, function.most);
  const double largest_integer = std::max(-function.least, function.most) / step;
  if (arguments.empty() || largest_integer > exact_limit(from.dtype())) return;
  std::vector<double> values;
  for (const double argument : arguments) values.push_back(function.value(argument));
  const Term argument = multiple(draft, from, step, function.least, function.most);
  settle_floats(draft, add_node(draft, function.opcode, {argument.node}), values);
}

void add_complex_function(Draft& draft, const Term& from) {
  Random& random = draft.random();
  const ComplexFunction& function = kComplexFunctions[random.below(std::size(kComplexFunctions))];
  const int limit = static_cast<int>(random.between(1, 4));
  const int shift = function.has_pole || random.chance(30) ? limit + 1 : 0;
  const ComplexArgument argument = complex_argument(draft, from, limit, shift);
  std::vector<Complex> values;
  for (const Complex z : argument.values) values.push_back(function.value(z));
  settle_parts(draft, add_node(draft, function.opcode, {argument.term.node}), values);
}

}  // namespace

void add_function(Draft& draft) {
  const Term from = pick_of_rank(draft, 0, 5, is_function_type);
  is_complex(from.dtype()) ? add_complex_function(draft, from) : add_real_function(draft, from);
}

// power and atan2 of integers; quotients of complex numbers.
void add_function_of_two(Draft& draft) {
  Random& random = draft.random();
  const Term a = pick_of_rank(draft, 0, 5, is_function_type);
  const Term b = want(draft, a.dtype(), a.dims());
  if (is_complex(a.dtype())) {
    const int limit = static_cast<int>(random.between(1, 3));
    const ComplexArgument dividend = complex_argument(draft, a, limit, 0),
                          divisor = complex_argument(draft, b, limit, limit + 1);
    std::vector<Complex> values;
    for (const Complex x : dividend.values) {
      for (const Complex y : divisor.values) values.push_back(x / y);
    }
    settle_parts(draft, add_node(draft, Opcode::kDivide, {dividend.term.node, divisor.term.node}), values);
    return;
  }
  const bool power = random.chance(50);
  const double limit = power ? 3 : 8;
  const std::vector<double> arguments = multiples(a.dtype(), 1, -limit, limit);
  if (arguments.empty() || limit > exact_limit(a.dtype())) return;
  std::vector<double> values;
  for (const double x : arguments) {
    for (const double y : arguments) values.push_back(power ? std::pow(x, y) : std::atan2(x, y));
  }
  const Term x = multiple(draft, a, 1, -limit, limit), y = multiple(draft, b, 1, -limit, limit);
  settle_floats(draft, add_node(draft, power ? Opcode::kPower : Opcode::kAtan2, {x.node, y.node}), values);
}

}  // namespace sinter
