// One element at a time: operators, conversions, and functions of the library.
#include <bit>
#include <cmath>
#include <complex>
#include <limits>
#include <map>

#include "tests/grain/values.h"

namespace sinter::grain_test {
namespace {

bool is_unsigned(DType dtype) { return is_integer(dtype) && !is_signed_integer(dtype); }

int64_t wrapped(DType dtype, int64_t value) {
  const int bits = dtype_bits(dtype);
  if (dtype == DType::kPred) return value & 1;
  if (bits == 64) return value;
  const uint64_t low = static_cast<uint64_t>(value) & ((uint64_t{1} << bits) - 1);
  if (is_unsigned(dtype) || (low >> (bits - 1)) == 0) return static_cast<int64_t>(low);
  return static_cast<int64_t>(low | ~((uint64_t{1} << bits) - 1));
}

int64_t lowest_of(DType dtype) {
  const int bits = dtype_bits(dtype);
  return is_unsigned(dtype) ? 0 : bits == 64 ? INT64_MIN : -(int64_t{1} << (bits - 1));
}

using Unary = double (*)(double);

const std::map<std::string, Unary>& unary_functions() {
  static const std::map<std::string, Unary> kFunctions = {
      {"floor", [](double x) { return std::floor(x); }},
      {"ceil", [](double x) { return std::ceil(x); }},
      {"round", [](double x) { return std::nearbyint(x); }},
      {"round_away", [](double x) { return std::round(x); }},
      {"sqrt", [](double x) { return std::sqrt(x); }},
      {"rsqrt", [](double x) { return 1 / std::sqrt(x); }},
      {"cbrt", [](double x) { return std::cbrt(x); }},
      {"exp", [](double x) { return std::exp(x); }},
      {"expm1", [](double x) { return std::expm1(x); }},
      {"log", [](double x) { return std::log(x); }},
      {"log1p", [](double x) { return std::log1p(x); }},
      {"sin", [](double x) { return std::sin(x); }},
      {"cos", [](double x) { return std::cos(x); }},
      {"tan", [](double x) { return std::tan(x); }},
      {"asin", [](double x) { return std::asin(x); }},
      {"acos", [](double x) { return std::acos(x); }},
      {"atan", [](double x) { return std::atan(x); }},
      {"sinh", [](double x) { return std::sinh(x); }},
      {"cosh", [](double x) { return std::cosh(x); }},
      {"tanh", [](double x) { return std::tanh(x); }},
      {"asinh", [](double x) { return std::asinh(x); }},
      {"acosh", [](double x) { return std::acosh(x); }},
      {"atanh", [](double x) { return std::atanh(x); }},
      {"erf", [](double x) { return std::erf(x); }},
      {"sigmoid", [](double x) { return 1 / (1 + std::exp(-x)); }},
  };
  return kFunctions;
}

Cell of_complex(DType dtype, std::complex<double> z) {
  const DType half = dtype == DType::kC64 ? DType::kF32 : DType::kF64;
  return {0, rounded(half, z.real()), rounded(half, z.imag())};
}

Cell combine_integers(const std::string& sign, DType dtype, int64_t a, int64_t b) {
  const auto x = static_cast<uint64_t>(a), y = static_cast<uint64_t>(b);
  const int bits = dtype_bits(dtype);
  const auto made = [&](uint64_t value) { return Cell{wrapped(dtype, static_cast<int64_t>(value)), 0, 0}; };
  if (sign == "+") return made(x + y);
  if (sign == "-") return made(x - y);
  if (sign == "*") return made(x * y);
  if (sign == "&" || sign == "and") return made(x & y);
  if (sign == "|" || sign == "or") return made(x | y);
  if (sign == "^") return made(x ^ y);
  if (sign == "/") {
    if (b == 0) return made(UINT64_MAX);
    if (is_unsigned(dtype)) return made(x / y);
    if (b == -1) return made(0 - x);
    return made(static_cast<uint64_t>(a / b));
  }
  if (sign == "%") {
    if (b == 0) return made(x);
    if (is_unsigned(dtype)) return made(x % y);
    if (b == -1) return made(0);
    return made(static_cast<uint64_t>(a % b));
  }
  if (sign == "<<") return made(y >= static_cast<uint64_t>(bits) ? 0 : x << y);
  if (sign == ">>") {
    const bool is_beyond = y >= static_cast<uint64_t>(bits);
    if (is_unsigned(dtype)) return made(is_beyond ? 0 : x >> y);
    return made(static_cast<uint64_t>(is_beyond ? (a < 0 ? -1 : 0) : a >> b));
  }
  if (sign == "max" || sign == "min") {
    const bool is_less = is_unsigned(dtype) ? x < y : a < b;
    return made(is_less == (sign == "max") ? y : x);
  }
  if (sign == "**") {
    if (b < 0 && !is_unsigned(dtype)) return made(a == 1 ? 1 : a == -1 ? (b % 2 == 0 ? 1 : UINT64_MAX) : 0);
    uint64_t result = 1, square = x;
    for (uint64_t k = y; k > 0; k /= 2, square *= square) {
      if (k % 2 == 1) result *= square;
    }
    return made(result);
  }
  throw Unknown("operator " + sign);
}

}  // namespace

double rounded(DType dtype, double value) {
  if (dtype == DType::kF64) return value;
  if (dtype == DType::kF32) return static_cast<double>(static_cast<float>(value));
  return float_from_bits(dtype, float_to_bits(dtype, value));
}

Cell converted(DType from, DType to, const Cell& cell) {
  if (is_complex(to)) {
    return of_complex(to, {is_float(from) || is_complex(from) ? cell.real : static_cast<double>(cell.integer),
                           is_complex(from) ? cell.imag : 0});
  }
  if (is_float(from) || is_complex(from)) {
    if (is_float(to)) return {0, rounded(to, cell.real), 0};
    if (to == DType::kPred) return {cell.real != 0 ? 1 : 0, 0, 0};
    // Truncated, and held to the ends of the type; of NaN 0.
    if (std::isnan(cell.real)) return {};
    const double whole = std::trunc(cell.real);
    const int bits = dtype_bits(to);
    const double above = std::ldexp(1, is_unsigned(to) ? bits : bits - 1);
    if (whole >= above) return {is_unsigned(to) ? wrapped(to, -1) : -(lowest_of(to) + 1), 0, 0};
    if (whole < static_cast<double>(lowest_of(to))) return {lowest_of(to), 0, 0};
    return {whole >= 0x1p63 ? static_cast<int64_t>(static_cast<uint64_t>(whole)) : static_cast<int64_t>(whole), 0, 0};
  }
  if (to == DType::kPred) return {cell.integer != 0 ? 1 : 0, 0, 0};
  if (!is_float(to)) return {wrapped(to, cell.integer), 0, 0};
  const bool is_huge = from == DType::kU64 && cell.integer < 0;
  if (to == DType::kF32) {
    return {0, is_huge ? static_cast<float>(static_cast<uint64_t>(cell.integer)) : static_cast<float>(cell.integer), 0};
  }
  return {0,
          rounded(to, is_huge ? static_cast<double>(static_cast<uint64_t>(cell.integer))
                              : static_cast<double>(cell.integer)),
          0};
}

Cell combine(const std::string& sign, DType dtype, const Cell& a, const Cell& b) {
  if (is_complex(dtype)) {
    const std::complex<double> x(a.real, a.imag), y(b.real, b.imag);
    if (sign == "+") return of_complex(dtype, x + y);
    if (sign == "-") return of_complex(dtype, x - y);
    if (sign == "*") return of_complex(dtype, x * y);
    if (sign == "/") return of_complex(dtype, x / y);
    if (sign == "**") return of_complex(dtype, std::pow(x, y));
    throw Unknown("operator " + sign + " of complex numbers");
  }
  if (!is_float(dtype)) return combine_integers(sign, dtype, a.integer, b.integer);
  const double x = a.real, y = b.real;
  const auto made = [&](double value) { return Cell{0, rounded(dtype, value), 0}; };
  if (sign == "+") return made(x + y);
  if (sign == "-") return made(x - y);
  if (sign == "*") return made(x * y);
  if (sign == "/") return made(x / y);
  if (sign == "%") return made(std::fmod(x, y));
  if (sign == "**") return made(std::pow(x, y));
  if (sign == "max" || sign == "min") {
    if (std::isnan(x)) return a;
    if (std::isnan(y)) return b;
    if (x == y) return std::signbit(x) == (sign == "max") ? b : a;
    return (x < y) == (sign == "max") ? b : a;
  }
  throw Unknown("operator " + sign);
}

bool holds(const std::string& sign, DType dtype, const Cell& a, const Cell& b) {
  if (is_complex(dtype)) {
    const bool equal = a.real == b.real && a.imag == b.imag;
    return equal == (sign == "==");
  }
  const auto compared = [&](auto x, auto y) {
    return sign == "=="   ? x == y
           : sign == "!=" ? x != y
           : sign == "<"  ? x < y
           : sign == "<=" ? x <= y
           : sign == ">"  ? x > y
                          : x >= y;
  };
  if (is_float(dtype)) return compared(a.real, b.real);
  if (is_unsigned(dtype)) return compared(static_cast<uint64_t>(a.integer), static_cast<uint64_t>(b.integer));
  return compared(a.integer, b.integer);
}

bool is_element_function(const std::string& name) {
  constexpr const char* kOthers[] = {"abs", "sign",     "is_finite", "is_nan", "min",   "max",   "clamp", "mod",
                                     "div", "ceil_div", "popcount",  "clz",    "mulhi", "atan2", "conj",  "erf_inv"};
  for (const char* other : kOthers) {
    if (name == other) return true;
  }
  return unary_functions().count(name) != 0;
}

Cell apply(const std::string& name, DType dtype, const std::vector<Cell>& arguments) {
  const Cell& a = arguments[0];
  const bool real = is_float(dtype);
  const Cell zero;
  if (const auto found = unary_functions().find(name); found != unary_functions().end()) {
    if (!real) throw Unknown(name + " of complex numbers");
    return {0, rounded(dtype, found->second(a.real)), 0};
  }
  if (name == "min" || name == "max") return combine(name, dtype, a, arguments[1]);
  if (name == "clamp") return combine("min", dtype, combine("max", dtype, arguments[1], a), arguments[2]);
  if (name == "is_nan") return {std::isnan(a.real) ? 1 : 0, 0, 0};
  if (name == "is_finite") return {std::isfinite(a.real) ? 1 : 0, 0, 0};
  if (name == "atan2") return {0, rounded(dtype, std::atan2(a.real, arguments[1].real)), 0};
  if (name == "conj") return {0, a.real, -a.imag};
  if (name == "abs") {
    if (is_complex(dtype)) throw Unknown("abs of complex numbers");
    if (real) return {0, std::fabs(a.real), 0};
    return is_unsigned(dtype) || a.integer >= 0 ? a : combine("-", dtype, zero, a);
  }
  if (name == "sign") {
    if (is_complex(dtype)) throw Unknown("sign of complex numbers");
    if (real) return {0, std::isnan(a.real) || a.real == 0 ? a.real : a.real < 0 ? -1.0 : 1.0, 0};
    return {a.integer == 0 ? 0 : a.integer < 0 && !is_unsigned(dtype) ? -1 : 1, 0, 0};
  }
  if (name == "popcount" || name == "clz") {
    const int bits = dtype_bits(dtype);
    const uint64_t low = static_cast<uint64_t>(a.integer) & (bits == 64 ? UINT64_MAX : (uint64_t{1} << bits) - 1);
    return {wrapped(dtype, name == "popcount" ? std::popcount(low) : std::countl_zero(low) - (64 - bits)), 0, 0};
  }
  if (name == "mod" || name == "div" || name == "ceil_div") {
    const Cell& b = arguments[1];
    if (real) {
      if (name == "div") return {0, std::floor(combine("/", dtype, a, b).real), 0};
      const Cell rest = combine("%", dtype, a, b);
      return rest.real != 0 && (rest.real < 0) != (b.real < 0) ? combine("+", dtype, rest, b) : rest;
    }
    const Cell quotient = combine("/", dtype, a, b), rest = combine("%", dtype, a, b);
    const bool turns = !is_unsigned(dtype) && (rest.integer < 0) != (b.integer < 0);
    if (rest.integer == 0) return name == "mod" ? rest : quotient;
    if (name == "mod") return turns ? combine("+", dtype, rest, b) : rest;
    if (name == "div") return turns ? combine("-", dtype, quotient, {1, 0, 0}) : quotient;
    return turns ? quotient : combine("+", dtype, quotient, {1, 0, 0});
  }
  if (name == "mulhi") {
    const int bits = dtype_bits(dtype);
    if (is_unsigned(dtype)) {
      const auto wide = static_cast<unsigned __int128>(static_cast<uint64_t>(a.integer)) *
                        static_cast<uint64_t>(arguments[1].integer);
      return {wrapped(dtype, static_cast<int64_t>(wide >> bits)), 0, 0};
    }
    return {wrapped(dtype, static_cast<int64_t>((static_cast<__int128>(a.integer) * arguments[1].integer) >> bits)), 0,
            0};
  }
  throw Unknown(name);
}

Cell power(DType dtype, Cell base, int64_t exponent) {
  const Cell one = is_integer(dtype) ? Cell{1, 0, 0} : Cell{0, 1, 0};
  if (exponent == 0) return one;
  const bool is_inverse = exponent < 0;
  bool is_first = true;
  Cell result;
  for (int64_t k = std::abs(exponent); k > 0; k /= 2) {
    if (k % 2 == 1) {
      result = is_first ? base : combine("*", dtype, result, base);
      is_first = false;
    }
    if (k > 1) base = combine("*", dtype, base, base);
  }
  return is_inverse ? combine("/", dtype, one, result) : result;
}

}  // namespace sinter::grain_test
