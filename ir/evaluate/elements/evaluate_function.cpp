// Kernels of the unary ops that the op table gives as functions of a double or a complex<double>. What is narrower is
// computed so and rounded once, which makes sqrt, floor and their like correctly rounded, and the transcendental
// functions so in all but a few values of f32.
#include "ir/evaluate/elements/evaluate_elements.h"
#include "ir/evaluate/elements/evaluate_elementwise.h"

namespace sinter::elements {
namespace {

template <class Element>
void run_real_function(const Kernel& kernel, const KernelArguments& arguments) {
  using Storage = typename Element::Storage;
  const Element element(kernel.operand);
  loop_unary<Storage, Storage>(
      arguments, [&](Storage x) { return element.store_real(kernel.real(static_cast<double>(element.load(x)))); });
}

template <class Element>
void run_complex_function(const Kernel& kernel, const KernelArguments& arguments) {
  using Storage = typename Element::Storage;
  const Element element(kernel.operand);
  loop_unary<Storage, Storage>(arguments,
                               [&](Storage x) { return element.store_wide(kernel.complex(std::complex<double>(x))); });
}

}  // namespace

KernelFunction find_real_function(DType dtype) {
  return visit_element(dtype, []<class Element>(const Element&) -> KernelFunction {
    if constexpr (kIsFloat<Element>) {
      return &run_real_function<Element>;
    } else {
      return nullptr;
    }
  });
}

KernelFunction find_complex_function(DType dtype) {
  if (dtype == DType::kC64) return &run_complex_function<ComplexElement<float>>;
  if (dtype == DType::kC128) return &run_complex_function<ComplexElement<double>>;
  return nullptr;
}

}  // namespace sinter::elements
