// Kernels of the unary ops that are exact: abs, negate, sign, not, bit counts, parts of complex numbers, is-finite
// and copy.
#include <bit>
#include <cmath>
#include <cstring>

#include "ir/evaluate/elements/evaluate_elements.h"
#include "ir/evaluate/elements/evaluate_elementwise.h"

namespace sinter::elements {
namespace {

template <class Element>
void run_abs(const Kernel& kernel, const KernelArguments& arguments) {
  using Storage = typename Element::Storage;
  using Value = typename Element::Value;
  const Element element(kernel.operand);
  if constexpr (kIsComplex<Element>) {
    loop_unary<Storage, typename Element::Part>(arguments, [](Storage x) {
      return static_cast<typename Element::Part>(std::hypot(double{x.real()}, double{x.imag()}));
    });
  } else {
    loop_unary<Storage, Storage>(arguments, [&](Storage stored) {
      const Value x = element.load(stored);
      if constexpr (kIsFloat<Element>) {
        return element.store(std::abs(x));
      } else {
        return element.store(x < 0 ? wrapping_subtract(Value{0}, x) : x);
      }
    });
  }
}

template <class Element>
void run_negate(const Kernel& kernel, const KernelArguments& arguments) {
  using Storage = typename Element::Storage;
  using Value = typename Element::Value;
  const Element element(kernel.operand);
  loop_unary<Storage, Storage>(arguments, [&](Storage stored) {
    const Value x = element.load(stored);
    if constexpr (kIsInteger<Element>) {
      return element.store(wrapping_subtract(Value{0}, x));
    } else {
      return element.store(-x);
    }
  });
}

template <class Element>
void run_sign(const Kernel& kernel, const KernelArguments& arguments) {
  using Storage = typename Element::Storage;
  using Value = typename Element::Value;
  const Element element(kernel.operand);
  loop_unary<Storage, Storage>(arguments, [&](Storage stored) {
    const Value x = element.load(stored);
    // A zero keeps its sign, a NaN stays one.
    return x > 0 ? element.store(Value{1}) : x < 0 ? element.store(static_cast<Value>(-1)) : stored;
  });
}

template <class Element>
void run_not(const Kernel& kernel, const KernelArguments& arguments) {
  using Storage = typename Element::Storage;
  const Element element(kernel.operand);
  loop_unary<Storage, Storage>(arguments, [&](Storage x) {
    if constexpr (kIsPred<Element>) {
      return element.store(!element.load(x));
    } else {
      return element.store(static_cast<typename Element::Value>(~element.load(x)));
    }
  });
}

// The bits of the value, without those of the byte around a narrow one.
template <class Element>
uint64_t bits_of(const Element& element, typename Element::Storage x) {
  const uint64_t mask = element.bits() == 64 ? UINT64_MAX : (uint64_t{1} << element.bits()) - 1;
  return static_cast<uint64_t>(x) & mask;
}

template <class Element>
void run_popcnt(const Kernel& kernel, const KernelArguments& arguments) {
  using Storage = typename Element::Storage;
  const Element element(kernel.operand);
  loop_unary<Storage, Storage>(arguments, [&](Storage x) {
    return element.store(static_cast<typename Element::Value>(std::popcount(bits_of(element, x))));
  });
}

template <class Element>
void run_count_leading_zeros(const Kernel& kernel, const KernelArguments& arguments) {
  using Storage = typename Element::Storage;
  const Element element(kernel.operand);
  loop_unary<Storage, Storage>(arguments, [&](Storage x) {
    const int zeros = std::countl_zero(bits_of(element, x)) - (64 - element.bits());
    return element.store(static_cast<typename Element::Value>(zeros));
  });
}

template <class Element>
void run_is_finite(const Kernel& kernel, const KernelArguments& arguments) {
  using Storage = typename Element::Storage;
  const Element element(kernel.operand);
  loop_unary<Storage, uint8_t>(arguments,
                               [&](Storage x) { return static_cast<uint8_t>(std::isfinite(element.load(x)) ? 1 : 0); });
}

template <class Element>
void run_copy(const Kernel&, const KernelArguments& arguments) {
  using Storage = typename Element::Storage;
  loop_unary<Storage, Storage>(arguments, [](Storage x) { return x; });
}

// Of a real number: itself, and zero.
template <class Element>
void run_real(const Kernel& kernel, const KernelArguments& arguments) {
  using Storage = typename Element::Storage;
  if constexpr (kIsComplex<Element>) {
    loop_unary<Storage, typename Element::Part>(arguments, [](Storage x) { return x.real(); });
  } else {
    run_copy<Element>(kernel, arguments);
  }
}

template <class Element>
void run_imag([[maybe_unused]] const Kernel& kernel, const KernelArguments& arguments) {
  using Storage = typename Element::Storage;
  if constexpr (kIsComplex<Element>) {
    loop_unary<Storage, typename Element::Part>(arguments, [](Storage x) { return x.imag(); });
  } else {
    const Element element(kernel.operand);
    loop_unary<Storage, Storage>(arguments, [&](Storage) { return element.store(typename Element::Value{}); });
  }
}

template <class Element>
KernelFunction choose_basic_unary(Opcode opcode) {
  constexpr bool is_number = !kIsPred<Element>;
  constexpr bool is_real = is_number && !kIsComplex<Element>;
  switch (opcode) {
    case Opcode::kCopy:
      return &run_copy<Element>;
    case Opcode::kAbs:
      if constexpr (is_number) return &run_abs<Element>;
      break;
    case Opcode::kNegate:
      if constexpr (is_number) return &run_negate<Element>;
      break;
    case Opcode::kSign:
      if constexpr (is_real) return &run_sign<Element>;
      break;
    case Opcode::kNot:
      if constexpr (kIsInteger<Element> || kIsPred<Element>) return &run_not<Element>;
      break;
    case Opcode::kPopcnt:
      if constexpr (kIsInteger<Element>) return &run_popcnt<Element>;
      break;
    case Opcode::kCountLeadingZeros:
      if constexpr (kIsInteger<Element>) return &run_count_leading_zeros<Element>;
      break;
    case Opcode::kIsFinite:
      if constexpr (kIsFloat<Element>) return &run_is_finite<Element>;
      break;
    case Opcode::kReal:
      if constexpr (kIsFloat<Element> || kIsComplex<Element>) return &run_real<Element>;
      break;
    case Opcode::kImag:
      if constexpr (kIsFloat<Element> || kIsComplex<Element>) return &run_imag<Element>;
      break;
    default:
      break;
  }
  return nullptr;
}

}  // namespace

KernelFunction find_basic_unary(Opcode opcode, DType dtype) {
  return visit_element(dtype, [&]<class Element>(const Element&) { return choose_basic_unary<Element>(opcode); });
}

}  // namespace sinter::elements
