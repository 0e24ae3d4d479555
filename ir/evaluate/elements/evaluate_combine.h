// The simple combiners as code over accumulators. Internal to ir/evaluate.
#pragma once

#include "ir/evaluate/elements/evaluate_elements.h"
#include "ir/evaluate/elements/evaluate_scalar.h"

namespace sinter::elements {

template <Combine kCombine, class T>
T combine(T old_value, T new_value) {
  if constexpr (kCombine == Combine::kAdd) {
    return wrapping_add(old_value, new_value);
  } else if constexpr (kCombine == Combine::kMultiply) {
    return wrapping_multiply(old_value, new_value);
  } else if constexpr (kCombine == Combine::kMaximum && std::is_arithmetic_v<T>) {
    return nan_maximum(old_value, new_value);
  } else if constexpr (kCombine == Combine::kMinimum && std::is_arithmetic_v<T>) {
    return nan_minimum(old_value, new_value);
  } else if constexpr (kCombine == Combine::kAnd && std::is_integral_v<T>) {
    return static_cast<T>(old_value & new_value);
  } else if constexpr (kCombine == Combine::kOr && std::is_integral_v<T>) {
    return static_cast<T>(old_value | new_value);
  } else if constexpr (kCombine == Combine::kXor && std::is_integral_v<T>) {
    return static_cast<T>(old_value ^ new_value);
  } else {
    return new_value;
  }
}

// Calls visit(std::integral_constant<Combine, ...>) with the combiner.
template <class Visit>
void visit_combine(Combine kind, Visit&& visit) {
  switch (kind) {
    case Combine::kAdd:
      return visit(std::integral_constant<Combine, Combine::kAdd>());
    case Combine::kMultiply:
      return visit(std::integral_constant<Combine, Combine::kMultiply>());
    case Combine::kMaximum:
      return visit(std::integral_constant<Combine, Combine::kMaximum>());
    case Combine::kMinimum:
      return visit(std::integral_constant<Combine, Combine::kMinimum>());
    case Combine::kAnd:
      return visit(std::integral_constant<Combine, Combine::kAnd>());
    case Combine::kOr:
      return visit(std::integral_constant<Combine, Combine::kOr>());
    case Combine::kXor:
      return visit(std::integral_constant<Combine, Combine::kXor>());
    case Combine::kReplace:
      return visit(std::integral_constant<Combine, Combine::kReplace>());
  }
}

}  // namespace sinter::elements
