// Kernels of the binary ops whose operands and result have one dtype; and of complex(re, im).
#include <cmath>
#include <complex>

#include "ir/evaluate/elements/evaluate_elements.h"
#include "ir/evaluate/elements/evaluate_elementwise.h"

namespace sinter::elements {
namespace {

template <class T>
constexpr bool kIsComplexValue = !std::is_arithmetic_v<T>;

struct Add {
  template <class T>
  static T apply(T x, T y) {
    return wrapping_add(x, y);
  }
};
struct Subtract {
  template <class T>
  static T apply(T x, T y) {
    return wrapping_subtract(x, y);
  }
};
struct Multiply {
  template <class T>
  static T apply(T x, T y) {
    return wrapping_multiply(x, y);
  }
};
struct Maximum {
  template <class T>
  static T apply(T x, T y) {
    return nan_maximum(x, y);
  }
};
struct Minimum {
  template <class T>
  static T apply(T x, T y) {
    return nan_minimum(x, y);
  }
};

// Integers: x / 0 has all bits set, the smallest integer / -1 is itself. Complex numbers divide by Smith's method
// through complex<double>.
struct Divide {
  template <class T>
  static T apply(T x, T y) {
    if constexpr (std::is_integral_v<T>) {
      if (y == 0) return static_cast<T>(-1);
      if (std::is_signed_v<T> && y == static_cast<T>(-1)) return wrapping_subtract(T{0}, x);
      return static_cast<T>(x / y);
    } else {
      return x / y;
    }
  }
};
struct Remainder {
  template <class T>
  static T apply(T x, T y) {
    if constexpr (std::is_integral_v<T>) {
      if (y == 0) return x;
      if (std::is_signed_v<T> && y == static_cast<T>(-1)) return T{0};
      return static_cast<T>(x % y);
    } else {
      return std::fmod(x, y);
    }
  }
};

// Integers: by squaring, wrapping; a negative exponent gives 0 unless the base is 1 (as XLA's evaluator has it).
template <class T>
T integer_power(T base, T exponent) {
  if (exponent < 0) return base == 1 ? T{1} : T{0};
  T result{1};
  for (auto rest = static_cast<uint64_t>(exponent); rest != 0; rest >>= 1) {
    if (rest & 1) result = wrapping_multiply(result, base);
    base = wrapping_multiply(base, base);
  }
  return result;
}

std::complex<double> complex_power(std::complex<double> base, std::complex<double> exponent) {
  if (exponent == std::complex<double>(0)) return 1;
  if (base == std::complex<double>(0)) return 0;
  return std::exp(exponent * std::log(base));
}

template <class Element>
void run_mulhi(const Kernel& kernel, const KernelArguments& arguments) {
  using Storage = typename Element::Storage;
  using Value = typename Element::Value;
  const Element element(kernel.operand);
  __extension__ using Wide = std::conditional_t<std::is_signed_v<Value>, __int128, unsigned __int128>;
  loop_binary<Storage, Storage>(arguments, [&](Storage x, Storage y) {
    return element.store(static_cast<Value>((static_cast<Wide>(x) * static_cast<Wide>(y)) >> element.bits()));
  });
}

// Amounts are read as unsigned; those of the bit width or more shift everything out.
template <class Element, Opcode kOpcode>
void run_shift(const Kernel& kernel, const KernelArguments& arguments) {
  using Storage = typename Element::Storage;
  using Value = typename Element::Value;
  const Element element(kernel.operand);
  const auto width = static_cast<uint64_t>(element.bits());
  const uint64_t mask = width == 64 ? UINT64_MAX : (uint64_t{1} << width) - 1;
  loop_binary<Storage, Storage>(arguments, [&](Storage x, Storage y) {
    const uint64_t amount = static_cast<uint64_t>(y) & mask;
    const uint64_t bits = static_cast<uint64_t>(x) & mask;
    if constexpr (kOpcode == Opcode::kShiftLeft) {
      return element.store(amount >= width ? Value{0} : static_cast<Value>(bits << amount));
    } else if constexpr (kOpcode == Opcode::kShiftRightLogical) {
      return element.store(amount >= width ? Value{0} : static_cast<Value>(bits >> amount));
    } else {
      // Arithmetic: the sign bit of an unsigned dtype counts as a sign, too.
      const uint64_t clamped = amount >= width ? width - 1 : amount;
      const int unused = 64 - static_cast<int>(width);
      return element.store(static_cast<Value>((static_cast<int64_t>(bits << unused) >> unused) >> clamped));
    }
  });
}

template <class Element, class Op>
void run_arithmetic(const Kernel& kernel, const KernelArguments& arguments) {
  using Storage = typename Element::Storage;
  const Element element(kernel.operand);
  loop_binary<Storage, Storage>(arguments, [&](Storage x, Storage y) {
    if constexpr (kIsComplex<Element> && std::is_same_v<Op, Divide>) {
      return element.store_wide(std::complex<double>(x) / std::complex<double>(y));
    } else {
      return element.store(Op::apply(element.load(x), element.load(y)));
    }
  });
}

template <class Element>
void run_power(const Kernel& kernel, const KernelArguments& arguments) {
  using Storage = typename Element::Storage;
  const Element element(kernel.operand);
  loop_binary<Storage, Storage>(arguments, [&](Storage x, Storage y) {
    if constexpr (kIsPred<Element>) {
      return element.store(element.load(x) || !element.load(y));
    } else if constexpr (kIsInteger<Element>) {
      return element.store(integer_power(element.load(x), element.load(y)));
    } else if constexpr (kIsComplex<Element>) {
      return element.store_wide(complex_power(x, y));
    } else {
      return element.store_real(std::pow(static_cast<double>(element.load(x)), static_cast<double>(element.load(y))));
    }
  });
}

template <class Element>
void run_atan2(const Kernel& kernel, const KernelArguments& arguments) {
  using Storage = typename Element::Storage;
  const Element element(kernel.operand);
  loop_binary<Storage, Storage>(arguments, [&](Storage y, Storage x) {
    if constexpr (kIsComplex<Element>) {
      // -i log((x + i y) / sqrt(x^2 + y^2))
      const std::complex<double> wide_x(x), wide_y(y), i(0, 1);
      return element.store_wide(-i * std::log((wide_x + i * wide_y) / std::sqrt(wide_x * wide_x + wide_y * wide_y)));
    } else {
      return element.store_real(std::atan2(static_cast<double>(element.load(y)), static_cast<double>(element.load(x))));
    }
  });
}

template <class Element, Opcode kOpcode>
void run_bitwise(const Kernel&, const KernelArguments& arguments) {
  using Storage = typename Element::Storage;
  loop_binary<Storage, Storage>(arguments, [](Storage x, Storage y) {
    if constexpr (kOpcode == Opcode::kAnd) return static_cast<Storage>(x & y);
    if constexpr (kOpcode == Opcode::kOr) return static_cast<Storage>(x | y);
    if constexpr (kOpcode == Opcode::kXor) return static_cast<Storage>(x ^ y);
  });
}

template <class Part>
void run_complex(const Kernel&, const KernelArguments& arguments) {
  loop_binary<Part, std::complex<Part>>(arguments, [](Part re, Part im) { return std::complex<Part>(re, im); });
}

template <class Element>
KernelFunction choose_binary(Opcode opcode) {
  constexpr bool is_number = !kIsPred<Element>;
  constexpr bool has_bits = kIsInteger<Element> || kIsPred<Element>;
  switch (opcode) {
    case Opcode::kAdd:
      return &run_arithmetic<Element, Add>;
    case Opcode::kMultiply:
      return &run_arithmetic<Element, Multiply>;
    case Opcode::kPower:
      return &run_power<Element>;
    case Opcode::kSubtract:
      if constexpr (is_number) return &run_arithmetic<Element, Subtract>;
      break;
    case Opcode::kDivide:
      if constexpr (is_number) return &run_arithmetic<Element, Divide>;
      break;
    case Opcode::kRemainder:
      if constexpr (is_number && !kIsComplex<Element>) return &run_arithmetic<Element, Remainder>;
      break;
    case Opcode::kMaximum:
      if constexpr (!kIsComplex<Element>) return &run_arithmetic<Element, Maximum>;
      break;
    case Opcode::kMinimum:
      if constexpr (!kIsComplex<Element>) return &run_arithmetic<Element, Minimum>;
      break;
    case Opcode::kMulhi:
      if constexpr (kIsInteger<Element>) return &run_mulhi<Element>;
      break;
    case Opcode::kAtan2:
      if constexpr (kIsFloat<Element> || kIsComplex<Element>) return &run_atan2<Element>;
      break;
    case Opcode::kAnd:
      if constexpr (has_bits) return &run_bitwise<Element, Opcode::kAnd>;
      break;
    case Opcode::kOr:
      if constexpr (has_bits) return &run_bitwise<Element, Opcode::kOr>;
      break;
    case Opcode::kXor:
      if constexpr (has_bits) return &run_bitwise<Element, Opcode::kXor>;
      break;
    case Opcode::kShiftLeft:
      if constexpr (kIsInteger<Element>) return &run_shift<Element, Opcode::kShiftLeft>;
      break;
    case Opcode::kShiftRightLogical:
      if constexpr (kIsInteger<Element>) return &run_shift<Element, Opcode::kShiftRightLogical>;
      break;
    case Opcode::kShiftRightArithmetic:
      if constexpr (kIsInteger<Element>) return &run_shift<Element, Opcode::kShiftRightArithmetic>;
      break;
    default:
      break;
  }
  return nullptr;
}

}  // namespace

KernelFunction find_binary(Opcode opcode, DType dtype) {
  if (opcode == Opcode::kComplex) {
    if (dtype == DType::kF32) return &run_complex<float>;
    if (dtype == DType::kF64) return &run_complex<double>;
    return nullptr;
  }
  return visit_element(dtype, [&]<class Element>(const Element&) { return choose_binary<Element>(opcode); });
}

}  // namespace sinter::elements
