// Kernels of convert, stochastic-convert and reduce-precision.
//
// A conversion goes through the widest type of its source's class (int64_t, uint64_t, double, complex<double>),
// which holds every source value exactly, so that only the second half rounds.
#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <limits>

#include "ir/evaluate/elements/evaluate_elements.h"
#include "ir/evaluate/elements/evaluate_elementwise.h"

namespace sinter::elements {
namespace {

// The largest and smallest value of an integer dtype.
template <class Element>
struct IntegerRange {
  using Value = typename Element::Value;
  explicit IntegerRange(const Element& element) {
    const int magnitude_bits = element.bits() - (std::is_signed_v<Value> ? 1 : 0);
    high = static_cast<Value>(magnitude_bits == 64 ? UINT64_MAX : (uint64_t{1} << magnitude_bits) - 1);
    low = std::is_signed_v<Value> ? static_cast<Value>(-high - 1) : Value{0};
  }
  Value low, high;
};

// Toward zero, saturating; NaN gives 0.
template <class Element>
typename Element::Value truncate(const IntegerRange<Element>& range, double x) {
  using Value = typename Element::Value;
  if (std::isnan(x)) return 0;
  if (x >= static_cast<double>(range.high)) return range.high;
  if (x <= static_cast<double>(range.low)) return range.low;
  return static_cast<Value>(x);
}

// The 53 leading bits, the last of them set if any further bit is: rounding this to a format of at most 51 bits
// gives what rounding the integer itself would.
double round_to_odd(uint64_t magnitude) {
  const int dropped = std::max(0, 11 - std::countl_zero(magnitude));
  const uint64_t lost = magnitude & ((uint64_t{1} << dropped) - 1);
  return std::ldexp(static_cast<double>(magnitude >> dropped | (lost != 0 ? 1 : 0)), dropped);
}

template <class Integer>
double to_double_for_rounding(Integer x) {
  if (x < 0) return -round_to_odd(0 - static_cast<uint64_t>(x));
  return round_to_odd(static_cast<uint64_t>(x));
}

template <class Wide, class From, class To>
void run_pair(const From& from, const To& to, const KernelArguments& arguments) {
  using FromStorage = typename From::Storage;
  using ToStorage = typename To::Storage;
  const auto loop = [&](auto apply) {
    loop_unary<FromStorage, ToStorage>(arguments,
                                       [&](FromStorage x) { return apply(static_cast<Wide>(from.load(x))); });
  };
  constexpr bool from_complex = std::is_same_v<Wide, std::complex<double>>;
  const auto real_part = [](Wide x) {
    if constexpr (from_complex) {
      return x.real();
    } else {
      return x;
    }
  };
  if constexpr (kIsPred<To>) {
    loop([](Wide x) { return static_cast<uint8_t>(x != Wide(0) ? 1 : 0); });
  } else if constexpr (kIsComplex<To>) {
    using Part = typename To::Part;
    loop([](Wide x) {
      if constexpr (from_complex) {
        return ToStorage(static_cast<Part>(x.real()), static_cast<Part>(x.imag()));
      } else {
        return ToStorage(static_cast<Part>(x));
      }
    });
  } else if constexpr (kIsInteger<To>) {
    if constexpr (std::is_integral_v<Wide>) {
      loop([&](Wide x) { return to.store(static_cast<typename To::Value>(x)); });
    } else {
      const IntegerRange<To> range(to);
      loop([&](Wide x) { return to.store(truncate(range, real_part(x))); });
    }
  } else if constexpr (std::is_integral_v<Wide>) {
    if constexpr (std::is_same_v<To, F64Element> || std::is_same_v<To, F32Element>) {
      loop([&](Wide x) { return static_cast<ToStorage>(x); });
    } else {
      loop([&](Wide x) { return to.store_real(to_double_for_rounding(x)); });
    }
  } else {
    loop([&](Wide x) { return to.store_real(real_part(x)); });
  }
}

template <class From>
void run_convert(const Kernel& kernel, const KernelArguments& arguments) {
  const From from(kernel.operand);
  visit_element(kernel.result, [&]<class To>(const To& to) {
    if constexpr (kIsComplex<From>) {
      run_pair<std::complex<double>>(from, to, arguments);
    } else if constexpr (kIsFloat<From>) {
      run_pair<double>(from, to, arguments);
    } else if constexpr (std::is_signed_v<typename From::Value>) {
      run_pair<int64_t>(from, to, arguments);
    } else {
      run_pair<uint64_t>(from, to, arguments);
    }
  });
}

// A pattern of a float of so many exponent and mantissa bits: mantissa bits dropped to nearest even, and where the
// exponent gets narrower, infinity above its range and zero below.
uint64_t reduce_pattern(uint64_t bits, int own_exponent, int own_mantissa, int exponent_bits, int mantissa_bits) {
  const uint64_t sign = uint64_t{1} << (own_exponent + own_mantissa);
  const uint64_t infinity = ((uint64_t{1} << own_exponent) - 1) << own_mantissa;
  if (mantissa_bits < own_mantissa) {
    const int dropped = own_mantissa - mantissa_bits;
    const uint64_t last = bits >> dropped & 1;
    bits = (bits + (uint64_t{1} << (dropped - 1)) - 1 + last) >> dropped << dropped;
  }
  if (exponent_bits < own_exponent) {
    const uint64_t own_bias = (uint64_t{1} << (own_exponent - 1)) - 1;
    const uint64_t bias = (uint64_t{1} << (exponent_bits - 1)) - 1;
    const uint64_t exponent = (bits & infinity) >> own_mantissa;
    if (exponent > own_bias + bias) return (bits & sign) | infinity;
    if (exponent <= own_bias - bias) return bits & sign;
  }
  return bits;
}

// On the type itself; the formats of at most 8 bits by way of float.
double reduce_precision(DType dtype, double x, int exponent_bits, int mantissa_bits) {
  if (!std::isfinite(x)) return x;
  const DType type = dtype_bits(dtype) <= 8 ? DType::kF32 : dtype;
  const int mantissa = type == DType::kF64 ? 52 : type == DType::kF32 ? 23 : type == DType::kF16 ? 10 : 7;
  const int exponent = dtype_bits(type) - 1 - mantissa;
  return float_from_bits(type,
                         reduce_pattern(float_to_bits(type, x), exponent, mantissa, exponent_bits, mantissa_bits));
}

template <class Element>
void run_reduce_precision(const Kernel& kernel, const KernelArguments& arguments) {
  using Storage = typename Element::Storage;
  const Element element(kernel.operand);
  const int exponent_bits = static_cast<int>(kernel.parameters[0]);
  const int mantissa_bits = static_cast<int>(kernel.parameters[1]);
  loop_unary<Storage, Storage>(arguments, [&](Storage stored) {
    const auto x = static_cast<double>(element.load(stored));
    return std::isnan(x) ? stored
                         : element.store_real(reduce_precision(kernel.operand, x, exponent_bits, mantissa_bits));
  });
}

// The neighbours of x in the result's dtype are `toward_zero` and one further away; x rounds away where the random
// number, as a fraction of 2^bits, is below the part that was dropped.
template <class From, class To>
typename To::Storage stochastic_round(const From&, const To& to, double x, double random) {
  if constexpr (kIsInteger<To>) {
    const IntegerRange<To> range(to);
    if (std::isnan(x)) return to.store(0);
    const double whole = std::trunc(x);
    const double fraction = std::abs(x - whole);
    return to.store(truncate(range, random < fraction ? whole + std::copysign(1.0, x) : whole));
  } else {
    const typename To::Storage nearest = to.store_real(x);
    const auto value = static_cast<double>(to.load(nearest));
    if (value == x || !std::isfinite(x) || !std::isfinite(value)) return nearest;
    // Patterns of one sign are ordered by magnitude: the neighbour is one pattern up or down.
    const bool is_away = std::abs(value) > std::abs(x);
    const auto other = static_cast<typename To::Storage>(is_away ? nearest - 1 : nearest + 1);
    const typename To::Storage inner = is_away ? other : nearest;
    const typename To::Storage outer = is_away ? nearest : other;
    const double low = std::abs(static_cast<double>(to.load(inner)));
    const double high = std::abs(static_cast<double>(to.load(outer)));
    if (!std::isfinite(high)) return nearest;
    return random < (std::abs(x) - low) / (high - low) ? outer : inner;
  }
}

template <class From, class Bits>
void run_stochastic_convert(const Kernel& kernel, const KernelArguments& arguments) {
  const From from(kernel.operand);
  const auto* x = reinterpret_cast<const typename From::Storage*>(arguments.operands[0]);
  const auto* random = reinterpret_cast<const Bits*>(arguments.operands[1]);
  const double scale = std::ldexp(1.0, -8 * static_cast<int>(sizeof(Bits)));
  visit_element(kernel.result, [&]<class To>(const To& to) {
    if constexpr (kIsInteger<To> || (kIsFloat<To> && sizeof(typename To::Storage) <= 2)) {
      auto* result = reinterpret_cast<typename To::Storage*>(arguments.result);
      for (int64_t i = 0; i < arguments.count; ++i) {
        result[i] = stochastic_round(from, to, static_cast<double>(from.load(x[i * arguments.steps[0]])),
                                     static_cast<double>(random[i * arguments.steps[1]]) * scale);
      }
    }
  });
}

}  // namespace

KernelFunction find_convert(DType from) {
  return visit_element(from, []<class From>(const From&) -> KernelFunction { return &run_convert<From>; });
}

KernelFunction find_reduce_precision(DType dtype) {
  return visit_element(dtype, []<class Element>(const Element&) -> KernelFunction {
    if constexpr (kIsFloat<Element>) {
      return &run_reduce_precision<Element>;
    } else {
      return nullptr;
    }
  });
}

KernelFunction find_stochastic_convert(DType from, DType bits) {
  return visit_element(from, [&]<class From>(const From&) -> KernelFunction {
    if constexpr (kIsFloat<From>) {
      if (bits == DType::kU8) return &run_stochastic_convert<From, uint8_t>;
      if (bits == DType::kU16) return &run_stochastic_convert<From, uint16_t>;
      if (bits == DType::kU32) return &run_stochastic_convert<From, uint32_t>;
      if (bits == DType::kU64) return &run_stochastic_convert<From, uint64_t>;
    }
    return nullptr;
  });
}

}  // namespace sinter::elements
