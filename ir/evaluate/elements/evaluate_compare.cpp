// Kernels of compare.
#include <type_traits>

#include "ir/evaluate/elements/evaluate_elements.h"
#include "ir/evaluate/elements/evaluate_elementwise.h"

namespace sinter::elements {
namespace {

enum Direction { kEq, kNe, kGe, kGt, kLe, kLt };

template <int kDirection, class T>
bool compare(T x, T y) {
  if constexpr (kDirection == kEq) {
    return x == y;
  } else if constexpr (kDirection == kNe) {
    return x != y;
  } else if constexpr (std::is_arithmetic_v<T>) {
    if constexpr (kDirection == kGe) return x >= y;
    if constexpr (kDirection == kGt) return x > y;
    if constexpr (kDirection == kLe) return x <= y;
    if constexpr (kDirection == kLt) return x < y;
  }
  return false;
}

template <class Element, int kDirection>
void run(const Kernel& kernel, const KernelArguments& arguments) {
  using Storage = typename Element::Storage;
  const Element element(kernel.operand);
  loop_binary<Storage, uint8_t>(arguments, [&](Storage x, Storage y) {
    return static_cast<uint8_t>(compare<kDirection>(element.load(x), element.load(y)) ? 1 : 0);
  });
}

template <class Element, int kDirection>
void run_total_order(const Kernel& kernel, const KernelArguments& arguments) {
  using Storage = typename Element::Storage;
  const Element element(kernel.operand);
  loop_binary<Storage, uint8_t>(arguments, [&](Storage x, Storage y) {
    const bool result = compare<kDirection>(total_order_key(element.load(x)), total_order_key(element.load(y)));
    return static_cast<uint8_t>(result ? 1 : 0);
  });
}

template <class Element, int kDirection>
KernelFunction find(bool total_order) {
  if constexpr (kIsComplex<Element> && kDirection != kEq && kDirection != kNe) {
    return nullptr;
  } else {
    if constexpr (kIsFloat<Element>) {
      if (total_order) return &run_total_order<Element, kDirection>;
    }
    return &run<Element, kDirection>;
  }
}

}  // namespace

KernelFunction find_compare(int64_t direction, bool total_order, DType dtype) {
  return visit_element(dtype, [&]<class Element>(const Element&) -> KernelFunction {
    switch (direction) {
      case kEq:
        return find<Element, kEq>(total_order);
      case kNe:
        return find<Element, kNe>(total_order);
      case kGe:
        return find<Element, kGe>(total_order);
      case kGt:
        return find<Element, kGt>(total_order);
      case kLe:
        return find<Element, kLe>(total_order);
      case kLt:
        return find<Element, kLt>(total_order);
      default:
        return nullptr;
    }
  });
}

}  // namespace sinter::elements
