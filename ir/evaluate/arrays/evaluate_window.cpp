// Evaluating reduce-window and select-and-scatter.
#include <cstring>

#include "ir/evaluate/arrays/evaluate_arrays.h"
#include "ir/evaluate/elements/evaluate_combine.h"
#include "ir/evaluate/elements/evaluate_scalar.h"

namespace sinter {
namespace {

using elements::Combine;
using elements::Dims;
using elements::ScalarFunction;

// One dimension of the windows.
struct WindowAxis {
  WindowDimension window;
  int64_t size = 0;    // of the operand
  int64_t stride = 0;  // of the operand, in elements
  // Where tap `tap` of window `position` reads, in elements; -1 for padding and the gaps of dilation.
  int64_t offset(int64_t position, int64_t tap) const {
    const int64_t base = position * window.stride + tap * window.rhs_dilate - window.pad_low;
    if (base < 0) return -1;
    if (window.lhs_dilate == 1) return base < size ? base * stride : -1;
    return base % window.lhs_dilate == 0 && base / window.lhs_dilate < size ? base / window.lhs_dilate * stride : -1;
  }
};

class Windows {
 public:
  Windows(const std::vector<WindowDimension>& window, const Dims& operand, const Dims& positions)
      : positions_(positions) {
    const Dims operand_strides = strides(operand);
    for (size_t d = 0; d < operand.size(); ++d) {
      const WindowDimension w = d < window.size() ? window[d] : WindowDimension{};
      axes_.push_back({w, operand[d], operand_strides[d]});
      if (w.size != 1) {
        active_.push_back(d);
        active_sizes_.push_back(w.size);
      }
    }
  }

  // Calls visit(window number, operand index) for the taps inside of every window, windows and taps in row-major
  // order, and done(window number) after each window.
  template <class Visit, class Done>
  void for_each(Visit visit, Done done) const {
    if (elements::product(positions_) == 0) return;
    Dims position(positions_.size(), 0);
    int64_t number = 0;
    do {
      visit_window(position, number, visit);
      done(number++);
    } while (elements::next_index(position, positions_));
  }

 private:
  template <class Visit>
  void visit_window(const Dims& position, int64_t number, Visit& visit) const {
    int64_t fixed = 0;
    for (size_t d = 0; d < axes_.size(); ++d) {
      if (axes_[d].window.size != 1) continue;
      const int64_t offset = axes_[d].offset(position[d], 0);
      if (offset < 0) return;
      fixed += offset;
    }
    for (const int64_t size : active_sizes_) {
      if (size == 0) return;
    }
    Dims tap(active_.size(), 0);
    do {
      int64_t index = fixed;
      bool inside = true;
      for (size_t a = 0; a < active_.size(); ++a) {
        const int64_t offset = axes_[active_[a]].offset(position[active_[a]], tap[a]);
        inside = inside && offset >= 0;
        index += offset;
      }
      if (inside) visit(number, index);
    } while (elements::next_index(tap, active_sizes_));
  }

  Dims positions_;
  std::vector<WindowAxis> axes_;
  std::vector<size_t> active_;  // dimensions with more than one tap
  Dims active_sizes_;
};

Literal reduce_window_simple(Combine kind, const Windows& windows, const Literal& operand, const Literal& init,
                             const Shape& shape) {
  Literal result(shape);
  elements::visit_element(shape.dtype, [&]<class Element>(const Element& element) {
    using Storage = typename Element::Storage;
    using Accumulator = typename Element::Accumulator;
    const Storage* source = operand.values<Storage>().data();
    Storage* target = result.mutable_values<Storage>().data();
    const Accumulator start(element.load(init.values<Storage>()[0]));
    elements::visit_combine(kind, [&]<Combine kCombine>(std::integral_constant<Combine, kCombine>) {
      Accumulator sum = start;
      windows.for_each(
          [&](int64_t, int64_t index) {
            sum = elements::combine<kCombine>(sum, Accumulator(element.load(source[index])));
          },
          [&](int64_t window) {
            target[window] = elements::store_accumulator(element, sum);
            sum = start;
          });
    });
  });
  return result;
}

std::vector<Literal> reduce_window_general(const Computation& computation, const Windows& windows,
                                           std::span<const Literal> operands, std::span<const Literal> inits,
                                           const std::vector<Shape>& shapes, EvaluateContext& context) {
  ScalarFunction function(computation, context);
  const size_t count = shapes.size();
  std::vector<Literal> results;
  std::vector<std::byte*> bases;
  std::vector<int64_t> bytes;
  for (size_t k = 0; k < count; ++k) {
    results.emplace_back(shapes[k]);
    elements::fill(results.back(), inits[k]);
    bases.push_back(results.back().mutable_bytes().data());
    bytes.push_back(dtype_bytes(shapes[k].dtype));
  }
  std::vector<ScalarFunction::Input> inputs(2 * count);
  std::vector<std::byte*> outputs(count);
  windows.for_each(
      [&](int64_t window, int64_t index) {
        for (size_t k = 0; k < count; ++k) {
          outputs[k] = bases[k] + window * bytes[k];
          inputs[k] = {outputs[k], 1};
          inputs[count + k] = {operands[k].bytes().data() + index * bytes[k], 1};
        }
        function.run(inputs, outputs, 1);
      },
      [](int64_t) {});
  return results;
}

}  // namespace

Literal evaluate_reduce_window(const Instruction& instruction, std::span<const Literal> operands,
                               EvaluateContext& context) {
  const size_t count = operands.size() / 2;
  const Computation& computation = **instruction.attributes->to_apply;
  const std::vector<Shape> shapes =
      instruction.shape.is_tuple() ? instruction.shape.elements : std::vector<Shape>{instruction.shape};
  const std::vector<WindowDimension> window = instruction.attributes->window.value_or(std::vector<WindowDimension>{});
  Dims factors = {shapes[0].element_count()};
  for (const WindowDimension& w : window) factors.push_back(w.size);
  context.count_product(factors);
  const Windows windows(window, operands[0].shape().dims, shapes[0].dims);
  std::vector<Literal> results;
  if (const auto combiners = elements::simple_combiners(computation)) {
    for (size_t k = 0; k < count; ++k) {
      results.push_back(reduce_window_simple((*combiners)[k], windows, operands[k], operands[count + k], shapes[k]));
    }
  } else {
    results =
        reduce_window_general(computation, windows, operands.first(count), operands.subspan(count), shapes, context);
  }
  return instruction.shape.is_tuple() ? Literal::tuple(std::move(results)) : std::move(results[0]);
}

// Each window of the operand chooses a tap: the current choice is replaced whenever select(current, candidate) is
// false. Then result[chosen] = scatter(source[window], result[chosen]).
Literal evaluate_select_and_scatter(const Instruction& instruction, std::span<const Literal> operands,
                                    EvaluateContext& context) {
  const Literal& operand = operands[0];
  const Literal& source = operands[1];
  ScalarFunction select(**instruction.attributes->select, context);
  ScalarFunction scatter(**instruction.attributes->scatter, context);
  Literal result(instruction.shape);
  elements::fill(result, operands[2]);
  const int64_t bytes = dtype_bytes(operand.shape().dtype);
  const int64_t result_bytes = dtype_bytes(instruction.shape.dtype);
  std::byte* base = result.mutable_bytes().data();
  const Windows windows(instruction.attributes->window.value_or(std::vector<WindowDimension>{}), operand.shape().dims,
                        source.shape().dims);
  int64_t chosen = -1;
  windows.for_each(
      [&](int64_t, int64_t index) {
        if (chosen >= 0) {
          const ScalarFunction::Input inputs[] = {{operand.bytes().data() + chosen * bytes, 1},
                                                  {operand.bytes().data() + index * bytes, 1}};
          std::byte keeps{};
          std::byte* output = &keeps;
          select.run(inputs, std::span(&output, 1), 1);
          if (keeps != std::byte{0}) return;
        }
        chosen = index;
      },
      [&](int64_t window) {
        if (chosen < 0) return;
        std::byte* target = base + chosen * result_bytes;
        const ScalarFunction::Input inputs[] = {{source.bytes().data() + window * result_bytes, 1}, {target, 1}};
        scatter.run(inputs, std::span(&target, 1), 1);
        chosen = -1;
      });
  return result;
}

}  // namespace sinter
