// Arrays widened to the type that contractions compute in: double for floats, uint64_t for integers (which wrap),
// complex<double>. Internal to ir/evaluate.
#pragma once

#include <complex>
#include <cstdint>
#include <vector>

#include "ir/evaluate/elements/evaluate_elements.h"
#include "ir/values/literal.h"

namespace sinter::elements {

// Calls visit(T{}) with the type in which operands and result of these dtypes meet.
template <class Visit>
auto visit_wide(DType lhs, DType rhs, DType result, Visit&& visit) {
  if (is_complex(lhs) || is_complex(rhs) || is_complex(result)) return visit(std::complex<double>());
  if (is_float(lhs) || is_float(rhs) || is_float(result)) return visit(double());
  return visit(uint64_t());
}

template <class T>
std::vector<T> widen(const Literal& literal) {
  return visit_element(literal.shape().dtype, [&]<class Element>(const Element& element) {
    std::vector<T> wide;
    wide.reserve(static_cast<size_t>(literal.element_count()));
    for (const typename Element::Storage stored : literal.values<typename Element::Storage>()) {
      if constexpr (kIsComplex<Element> && !std::is_same_v<T, std::complex<double>>) {
        wide.push_back(static_cast<T>(stored.real()));
      } else if constexpr (kIsComplex<Element>) {
        wide.push_back(T(stored));
      } else if constexpr (std::is_same_v<T, std::complex<double>>) {
        wide.push_back(T(static_cast<double>(element.load(stored))));
      } else {
        wide.push_back(static_cast<T>(element.load(stored)));
      }
    }
    return wide;
  });
}

// Rounded once, or wrapped; a sum of predicates is true if it is not zero.
template <class T>
Literal narrow(const std::vector<T>& wide, const Shape& shape) {
  Literal result(shape);
  visit_element(shape.dtype, [&]<class Element>(const Element& element) {
    using Storage = typename Element::Storage;
    const std::span<Storage> values = result.mutable_values<Storage>();
    for (size_t i = 0; i < values.size(); ++i) {
      if constexpr (kIsComplex<Element>) {
        values[i] = element.store_wide(std::complex<double>(wide[i]));
      } else if constexpr (std::is_same_v<T, std::complex<double>>) {
        values[i] = Storage{};
      } else if constexpr (kIsFloat<Element>) {
        values[i] = element.store_real(static_cast<double>(wide[i]));
      } else if constexpr (kIsPred<Element>) {
        values[i] = element.store(wide[i] != 0);
      } else {
        values[i] = element.store(static_cast<typename Element::Value>(wide[i]));
      }
    }
  });
  return result;
}

}  // namespace sinter::elements
