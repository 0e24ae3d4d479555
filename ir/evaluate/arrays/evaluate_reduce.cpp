// Evaluating reduce, map and scan.
//
// A reduction is seen as an array [outer, steps, inner] reduced over `steps`: whatever the dimensions, the
// operands are permuted so if they do not lie so already. Sums and products of floats below f64 are collected in
// f64 and rounded once.
#include <algorithm>
#include <memory>

#include "ir/evaluate/arrays/evaluate_arrays.h"
#include "ir/evaluate/elements/evaluate_combine.h"
#include "ir/evaluate/elements/evaluate_scalar.h"
#include "ir/support/diagnostics.h"

namespace sinter {
namespace {

using elements::Combine;
using elements::Dims;

struct ReduceExtents {
  int64_t outer = 1;
  int64_t steps = 1;
  int64_t inner = 1;
};

// True, with the extents, if the reduced dimensions are neighbours.
bool find_extents(const Dims& dims, const Dims& reduced, ReduceExtents& extents) {
  Dims sorted = reduced;
  std::sort(sorted.begin(), sorted.end());
  for (size_t i = 1; i < sorted.size(); ++i) {
    if (sorted[i] != sorted[i - 1] + 1) return false;
  }
  for (int64_t d = 0; d < static_cast<int64_t>(dims.size()); ++d) {
    const int64_t size = dims[static_cast<size_t>(d)];
    if (!sorted.empty() && d >= sorted.front() && d <= sorted.back()) {
      extents.steps *= size;
    } else if (!sorted.empty() && d > sorted.back()) {
      extents.inner *= size;
    } else {
      extents.outer *= size;
    }
  }
  return true;
}

template <class Element, Combine kCombine>
void reduce_values(const Element& element, const ReduceExtents& extents, const typename Element::Storage* source,
                   typename Element::Storage init, typename Element::Storage* target) {
  using Accumulator = typename Element::Accumulator;
  const auto inner = static_cast<size_t>(extents.inner);
  const auto sums = std::make_unique<Accumulator[]>(inner);
  for (int64_t o = 0; o < extents.outer; ++o) {
    std::fill_n(sums.get(), inner, Accumulator(element.load(init)));
    for (int64_t s = 0; s < extents.steps; ++s) {
      for (size_t i = 0; i < inner; ++i) {
        sums[i] = elements::combine<kCombine>(sums[i], Accumulator(element.load(source[i])));
      }
      source += inner;
    }
    for (size_t i = 0; i < inner; ++i) *target++ = elements::store_accumulator(element, sums[i]);
  }
}

Literal reduce_simple(Combine kind, const ReduceExtents& extents, const Literal& operand, const Literal& init,
                      const Shape& shape) {
  Literal result(shape);
  elements::visit_element(shape.dtype, [&]<class Element>(const Element& element) {
    using Storage = typename Element::Storage;
    elements::visit_combine(kind, [&]<Combine kCombine>(std::integral_constant<Combine, kCombine>) {
      reduce_values<Element, kCombine>(element, extents, operand.values<Storage>().data(), init.values<Storage>()[0],
                                       result.mutable_values<Storage>().data());
    });
  });
  return result;
}

// Any computation: all results take one step at a time, together. The operands lie as [steps, lanes].
std::vector<Literal> reduce_general(const Computation& computation, int64_t steps, std::span<const Literal> operands,
                                    std::span<const Literal> inits, const std::vector<Shape>& shapes,
                                    EvaluateContext& context) {
  elements::ScalarFunction function(computation, context);
  std::vector<Literal> results;
  std::vector<std::byte*> outputs;
  for (size_t k = 0; k < shapes.size(); ++k) {
    results.emplace_back(shapes[k]);
    elements::fill(results.back(), inits[k]);
    outputs.push_back(results.back().mutable_bytes().data());
  }
  const int64_t lanes = shapes[0].element_count();
  for (int64_t s = 0; s < steps; ++s) {
    std::vector<elements::ScalarFunction::Input> inputs;
    for (std::byte* output : outputs) inputs.push_back({output, 1});
    for (const Literal& operand : operands) {
      inputs.push_back({operand.bytes().data() + s * lanes * dtype_bytes(operand.shape().dtype), 1});
    }
    function.run(inputs, outputs, lanes);
  }
  return results;
}

Literal one_or_tuple(const Shape& shape, std::vector<Literal> results) {
  return shape.is_tuple() ? Literal::tuple(std::move(results)) : std::move(results[0]);
}

}  // namespace

Literal evaluate_reduce(const Instruction& instruction, std::span<const Literal> operands, EvaluateContext& context) {
  const size_t count = operands.size() / 2;
  const Computation& computation = **instruction.attributes->to_apply;
  const Dims& reduced = *instruction.attributes->dimensions;
  const std::span<const Literal> inits = operands.subspan(count);
  const Dims dims = operands[0].shape().dims;
  const std::vector<Shape> shapes =
      instruction.shape.is_tuple() ? instruction.shape.elements : std::vector<Shape>{instruction.shape};
  const Dims kept = elements::other_dimensions(static_cast<int64_t>(dims.size()), reduced);
  context.count_steps(operands[0].element_count());
  std::vector<Literal> results;
  if (const auto combiners = elements::simple_combiners(computation)) {
    ReduceExtents extents;
    Dims order = elements::other_dimensions(static_cast<int64_t>(dims.size()), {});
    if (!find_extents(dims, reduced, extents)) {
      order = kept;
      order.insert(order.end(), reduced.begin(), reduced.end());
      extents = {elements::product(elements::pick(dims, kept)), elements::product(elements::pick(dims, reduced)), 1};
    }
    for (size_t k = 0; k < count; ++k) {
      const Literal operand = elements::permute(operands[k], order);
      results.push_back(reduce_simple((*combiners)[k], extents, operand, inits[k], shapes[k]));
    }
    return one_or_tuple(instruction.shape, std::move(results));
  }
  Dims order = reduced;
  order.insert(order.end(), kept.begin(), kept.end());
  std::vector<Literal> permuted;
  for (size_t k = 0; k < count; ++k) permuted.push_back(elements::permute(operands[k], order));
  const int64_t steps = elements::product(elements::pick(dims, reduced));
  results = reduce_general(computation, steps, permuted, inits, shapes, context);
  return one_or_tuple(instruction.shape, std::move(results));
}

Literal evaluate_map(const Instruction& instruction, std::span<const Literal> operands, EvaluateContext& context) {
  elements::ScalarFunction function(**instruction.attributes->to_apply, context);
  Literal result(instruction.shape);
  std::vector<elements::ScalarFunction::Input> inputs;
  for (const Literal& operand : operands) inputs.push_back({operand.bytes().data(), 1});
  std::byte* output = result.mutable_bytes().data();
  function.run(inputs, std::span(&output, 1), result.element_count());
  return result;
}

// (x_0 ..., carry_0 ...) -> (y_0 ..., carry_0 ...), one slice of dimension d after the other. A slice has the shape
// that the computation's parameter states: with the dimension as 1, or without it.
Literal evaluate_scan(const Instruction& instruction, std::span<const Literal> operands, EvaluateContext& context) {
  const Attributes& attributes = instruction.attributes;
  const Computation& computation = **attributes.to_apply;
  const auto dimension = static_cast<size_t>(attributes.dimensions->front());
  const auto carries = static_cast<size_t>(attributes.num_carries.value_or(0));
  const size_t inputs = operands.size() - carries;
  const std::vector<Instruction*> parameters = computation.parameters();
  Literal result(instruction.shape);
  const bool is_tuple = instruction.shape.is_tuple();
  const auto result_at = [&](size_t k) -> Literal& { return is_tuple ? result.mutable_elements()[k] : result; };
  const size_t outputs = (is_tuple ? instruction.shape.elements.size() : 1) - carries;
  std::vector<Literal> state(operands.begin() + static_cast<std::ptrdiff_t>(inputs), operands.end());
  const Shape& scanned = inputs > 0 ? operands[0].shape() : result_at(0).shape();
  const int64_t steps = scanned.dims[dimension];
  const bool reverse = attributes.is_reverse.value_or(false);

  // Copies slice `step` of `array` out of it, or `slice` into it.
  const auto slice_dims = [&](const Literal& array) {
    Dims dims = array.shape().dims;
    dims[dimension] = 1;
    return dims;
  };
  for (int64_t s = 0; s < steps; ++s) {
    const int64_t step = reverse ? steps - 1 - s : s;
    std::vector<Literal> arguments;
    for (size_t k = 0; k < inputs; ++k) {
      const Literal& array = operands[k];
      const Dims array_strides = strides(array.shape().dims);
      const int64_t bytes = dtype_bytes(array.shape().dtype);
      Literal slice(parameters[k]->shape);
      elements::copy_strided(slice.mutable_bytes().data(), strides(slice_dims(array)),
                             array.bytes().data() + step * array_strides[dimension] * bytes, array_strides,
                             slice_dims(array), bytes);
      arguments.push_back(std::move(slice));
    }
    for (Literal& carry : state) arguments.push_back(std::move(carry));
    Literal values = context.call(computation, std::move(arguments));
    if (!values.shape().is_tuple()) values = Literal::tuple({std::move(values)});
    for (size_t k = 0; k < outputs; ++k) {
      Literal& array = result_at(k);
      const Dims array_strides = strides(array.shape().dims);
      const int64_t bytes = dtype_bytes(array.shape().dtype);
      elements::copy_strided(array.mutable_bytes().data() + step * array_strides[dimension] * bytes, array_strides,
                             values.elements()[k].bytes().data(), strides(slice_dims(array)), slice_dims(array), bytes);
    }
    for (size_t k = 0; k < carries; ++k) state[k] = std::move(values.mutable_elements()[outputs + k]);
  }
  for (size_t k = 0; k < carries; ++k) result_at(outputs + k) = std::move(state[k]);
  return result;
}

}  // namespace sinter
