// How the evaluator computes with the elements of each dtype: how they are stored, the C++ type their arithmetic
// is done in, and the way between the two. Internal to ir/evaluate.
#pragma once

#include <bit>
#include <cmath>
#include <complex>
#include <cstdint>
#include <type_traits>

#include "ir/support/diagnostics.h"
#include "ir/values/dtype.h"
#include "ir/values/literal.h"

namespace sinter::elements {

// Each of these has Storage (what a literal holds), Value (what arithmetic is done in), load and store; store
// wraps integers and rounds floats. The float types also have store_real, which rounds a double once.
// Accumulator is what sums and products of many elements are collected in.

struct PredElement {
  using Storage = uint8_t;
  using Value = bool;
  using Accumulator = bool;
  explicit PredElement(DType) {}
  Value load(Storage stored) const { return stored != 0; }
  Storage store(Value value) const { return value ? 1 : 0; }
};

template <class T>
struct IntElement {
  using Storage = T;
  using Value = T;
  using Accumulator = T;
  explicit IntElement(DType) {}
  static constexpr int bits() { return 8 * static_cast<int>(sizeof(T)); }
  Value load(Storage stored) const { return stored; }
  Storage store(Value value) const { return value; }
};

// s1, s2, s4 and u1, u2, u4: one to a byte, sign- or zero-extended.
template <class T>
struct NarrowIntElement {
  using Storage = T;
  using Value = T;
  using Accumulator = T;
  explicit NarrowIntElement(DType dtype) : shift_(8 - dtype_bits(dtype)) {}
  int bits() const { return 8 - shift_; }
  Value load(Storage stored) const { return stored; }
  Storage store(Value value) const {
    return static_cast<T>(static_cast<T>(static_cast<uint8_t>(value) << shift_) >> shift_);
  }

 private:
  int shift_;
};

struct F64Element {
  using Storage = double;
  using Value = double;
  using Accumulator = double;
  explicit F64Element(DType) {}
  Value load(Storage stored) const { return stored; }
  Storage store(Value value) const { return value; }
  Storage store_real(double value) const { return value; }
};

struct F32Element {
  using Storage = float;
  using Value = float;
  using Accumulator = double;
  explicit F32Element(DType) {}
  Value load(Storage stored) const { return stored; }
  Storage store(Value value) const { return value; }
  Storage store_real(double value) const { return static_cast<float>(value); }
};

struct BF16Element {
  using Storage = uint16_t;
  using Value = float;
  using Accumulator = double;
  explicit BF16Element(DType) {}
  Value load(Storage stored) const { return std::bit_cast<float>(static_cast<uint32_t>(stored) << 16); }
  Storage store(Value value) const {
    const uint32_t bits = std::bit_cast<uint32_t>(value);
    if (std::isnan(value)) return static_cast<uint16_t>(bits >> 16 | 0x40);
    return static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
  }
  Storage store_real(double value) const { return static_cast<uint16_t>(float_to_bits(DType::kBF16, value)); }
};

// The values of all 2^bits patterns of a float dtype of at most 16 bits.
const float* float_table(DType dtype);

// f16 and the formats of at most 8 bits. Float arithmetic followed by one more rounding is correctly rounded, as
// float has more than twice their precision.
template <class T>
struct NarrowFloatElement {
  using Storage = T;
  using Value = float;
  using Accumulator = double;
  explicit NarrowFloatElement(DType dtype) : dtype_(dtype), table_(float_table(dtype)), mask_(bit_mask(dtype)) {}
  Value load(Storage stored) const { return table_[stored & mask_]; }
  Storage store(Value value) const { return store_real(static_cast<double>(value)); }
  Storage store_real(double value) const { return static_cast<T>(float_to_bits(dtype_, value)); }

 private:
  static T bit_mask(DType dtype) { return static_cast<T>((1u << dtype_bits(dtype)) - 1); }
  DType dtype_;
  const float* table_;
  T mask_;
};

template <class T>
struct ComplexElement {
  using Part = T;
  using Storage = std::complex<T>;
  using Value = std::complex<T>;
  using Accumulator = std::complex<double>;
  explicit ComplexElement(DType) {}
  Value load(Storage stored) const { return stored; }
  Storage store(Value value) const { return value; }
  Storage store_wide(std::complex<double> value) const {
    return {static_cast<T>(value.real()), static_cast<T>(value.imag())};
  }
};

template <class Element>
inline constexpr bool kIsPred = std::is_same_v<Element, PredElement>;
template <class Element>
inline constexpr bool kIsComplex = !std::is_arithmetic_v<typename Element::Value>;
template <class Element>
inline constexpr bool kIsFloat = std::is_floating_point_v<typename Element::Value>;
template <class Element>
inline constexpr bool kIsInteger = std::is_integral_v<typename Element::Value> && !kIsPred<Element>;

// Calls `visit` with the dtype's element object; every branch must return the same type.
template <class Visit>
auto visit_element(DType dtype, Visit&& visit) {
  switch (dtype) {
    case DType::kPred:
      return visit(PredElement(dtype));
    case DType::kS1:
    case DType::kS2:
    case DType::kS4:
      return visit(NarrowIntElement<int8_t>(dtype));
    case DType::kU1:
    case DType::kU2:
    case DType::kU4:
      return visit(NarrowIntElement<uint8_t>(dtype));
    case DType::kS8:
      return visit(IntElement<int8_t>(dtype));
    case DType::kS16:
      return visit(IntElement<int16_t>(dtype));
    case DType::kS32:
      return visit(IntElement<int32_t>(dtype));
    case DType::kS64:
      return visit(IntElement<int64_t>(dtype));
    case DType::kU8:
      return visit(IntElement<uint8_t>(dtype));
    case DType::kU16:
      return visit(IntElement<uint16_t>(dtype));
    case DType::kU32:
      return visit(IntElement<uint32_t>(dtype));
    case DType::kU64:
      return visit(IntElement<uint64_t>(dtype));
    case DType::kF4E2M1FN:
    case DType::kF6E2M3FN:
    case DType::kF6E3M2FN:
    case DType::kF8E3M4:
    case DType::kF8E4M3:
    case DType::kF8E4M3FN:
    case DType::kF8E4M3FNUZ:
    case DType::kF8E4M3B11FNUZ:
    case DType::kF8E5M2:
    case DType::kF8E5M2FNUZ:
    case DType::kF8E8M0FNU:
      return visit(NarrowFloatElement<uint8_t>(dtype));
    case DType::kF16:
      return visit(NarrowFloatElement<uint16_t>(dtype));
    case DType::kBF16:
      return visit(BF16Element(dtype));
    case DType::kF32:
      return visit(F32Element(dtype));
    case DType::kF64:
      return visit(F64Element(dtype));
    case DType::kC64:
      return visit(ComplexElement<float>(dtype));
    case DType::kC128:
      return visit(ComplexElement<double>(dtype));
  }
  throw InternalError("evaluate", "unknown dtype");
}

// An accumulator's value as one of the dtype's elements.
template <class Element>
typename Element::Storage store_accumulator(const Element& element, typename Element::Accumulator value) {
  if constexpr (kIsFloat<Element>) {
    return element.store_real(value);
  } else if constexpr (kIsComplex<Element>) {
    return element.store_wide(value);
  } else {
    return element.store(value);
  }
}

// What sums of integers, which wrap, are formed in: signed overflow is not defined in C++.
template <class T>
using Wrapping = std::conditional_t<std::is_integral_v<T>, uint64_t, T>;

template <class T>
T wrapping_add(T a, T b) {
  if constexpr (std::is_same_v<T, bool>) {
    return a || b;
  } else {
    return static_cast<T>(static_cast<Wrapping<T>>(a) + static_cast<Wrapping<T>>(b));
  }
}

template <class T>
T wrapping_subtract(T a, T b) {
  return static_cast<T>(static_cast<Wrapping<T>>(a) - static_cast<Wrapping<T>>(b));
}

template <class T>
T wrapping_multiply(T a, T b) {
  if constexpr (std::is_same_v<T, bool>) {
    return a && b;
  } else if constexpr (std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>) {
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
  } else {
    return static_cast<T>(static_cast<Wrapping<T>>(a) * static_cast<Wrapping<T>>(b));
  }
}

// NaN wins; of two zeros the larger (maximum) or smaller (minimum) by sign.
template <class T>
T nan_maximum(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    if (a == b) return std::signbit(a) ? b : a;
    return a > b || std::isnan(a) ? a : b;
  } else {
    return a > b ? a : b;
  }
}

template <class T>
T nan_minimum(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    if (a == b) return std::signbit(a) ? a : b;
    return a < b || std::isnan(a) ? a : b;
  } else {
    return a < b ? a : b;
  }
}

// An integer whose order is the total order -NaN < -inf < ... < -0 < +0 < ... < inf < NaN.
template <class Float>
int64_t total_order_key(Float value) {
  const auto bits = std::bit_cast<int64_t>(static_cast<double>(value));
  return bits < 0 ? INT64_MIN - bits - 1 : bits;
}

}  // namespace sinter::elements
