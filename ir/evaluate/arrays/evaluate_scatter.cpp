// Evaluating scatter. Updates are applied in row-major order of the scatter indices. A window of which any part
// lies outside the operand is skipped as a whole. Float sums and products are collected in f64 and rounded once.
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

// Where each update element goes: pairs of linear indices into operand and update, in order of application.
struct Placement {
  std::vector<int64_t> targets;
  std::vector<int64_t> sources;
};

Placement place_updates(const Instruction& instruction, const Shape& operand, const Literal& indices,
                        const Shape& update) {
  const Attributes& attributes = instruction.attributes;
  const Dims update_window = attributes.update_window_dims.value_or(Dims{});
  const Dims index_map = attributes.scatter_dims_to_operand_dims.value_or(Dims{});
  const Dims operand_batching = attributes.input_batching_dims.value_or(Dims{});
  const Dims indices_batching = attributes.scatter_indices_batching_dims.value_or(Dims{});
  const int64_t vector_dim = attributes.index_vector_dim.value_or(indices.shape().rank());

  Dims dropped = attributes.inserted_window_dims.value_or(Dims{});
  dropped.insert(dropped.end(), operand_batching.begin(), operand_batching.end());
  const Dims operand_window = elements::other_dimensions(operand.rank(), dropped);
  const Dims update_batch = elements::other_dimensions(update.rank(), update_window);
  const Dims index_batch_dims = elements::other_dimensions(indices.shape().rank(), {vector_dim});
  const Dims index_strides = strides(indices.shape().dims);
  const int64_t vector_stride =
      vector_dim < indices.shape().rank() ? index_strides[static_cast<size_t>(vector_dim)] : 0;
  const Dims batch_strides_in_indices = elements::pick(index_strides, index_batch_dims);

  const Dims operand_strides = strides(operand.dims);
  const Dims update_strides = strides(update.dims);
  const Dims window_sizes = elements::pick(update.dims, update_window);
  const Dims batch_sizes = elements::pick(update.dims, update_batch);
  const Dims window_targets = elements::pick(operand_strides, operand_window);
  const Dims window_sources = elements::pick(update_strides, update_window);
  const Dims batch_sources = elements::pick(update_strides, update_batch);
  Dims full_window(operand.dims.size(), 1);  // window size in each operand dimension
  for (size_t i = 0; i < operand_window.size(); ++i)
    full_window[static_cast<size_t>(operand_window[i])] = window_sizes[i];

  Placement placement;
  if (update.element_count() == 0) return placement;
  placement.targets.reserve(static_cast<size_t>(update.element_count()));
  placement.sources.reserve(static_cast<size_t>(update.element_count()));
  Dims batch(batch_sizes.size(), 0);
  do {
    const int64_t first = elements::linear_index(batch, batch_strides_in_indices);
    Dims start(operand.dims.size(), 0);
    for (size_t k = 0; k < index_map.size(); ++k) {
      start[static_cast<size_t>(index_map[k])] =
          elements::read_index(indices, first + static_cast<int64_t>(k) * vector_stride);
    }
    for (size_t j = 0; j < operand_batching.size(); ++j) {
      const auto position = std::find(index_batch_dims.begin(), index_batch_dims.end(), indices_batching[j]);
      start[static_cast<size_t>(operand_batching[j])] = batch[static_cast<size_t>(position - index_batch_dims.begin())];
    }
    bool inside = true;
    for (size_t d = 0; d < start.size(); ++d) {
      inside = inside && start[d] >= 0 && start[d] <= operand.dims[d] - full_window[d];
    }
    if (!inside) continue;
    const int64_t target = elements::linear_index(start, operand_strides);
    const int64_t source = elements::linear_index(batch, batch_sources);
    Dims window(window_sizes.size(), 0);
    do {
      placement.targets.push_back(target + elements::linear_index(window, window_targets));
      placement.sources.push_back(source + elements::linear_index(window, window_sources));
    } while (elements::next_index(window, window_sizes));
  } while (elements::next_index(batch, batch_sizes));
  return placement;
}

template <class Element, Combine kCombine>
void scatter_values(const Element& element, const Placement& placement, std::span<typename Element::Storage> targets,
                    std::span<const typename Element::Storage> updates) {
  using Accumulator = typename Element::Accumulator;
  if constexpr (kCombine == Combine::kReplace) {
    for (size_t i = 0; i < placement.targets.size(); ++i) {
      targets[static_cast<size_t>(placement.targets[i])] = updates[static_cast<size_t>(placement.sources[i])];
    }
  } else {
    const auto sums = std::make_unique<Accumulator[]>(targets.size());
    for (size_t i = 0; i < targets.size(); ++i) sums[i] = Accumulator(element.load(targets[i]));
    for (size_t i = 0; i < placement.targets.size(); ++i) {
      Accumulator& sum = sums[static_cast<size_t>(placement.targets[i])];
      const auto update = Accumulator(element.load(updates[static_cast<size_t>(placement.sources[i])]));
      sum = elements::combine<kCombine>(sum, update);
    }
    for (const int64_t target : placement.targets) {
      const auto t = static_cast<size_t>(target);
      targets[t] = elements::store_accumulator(element, sums[t]);
    }
  }
}

void scatter_simple(Combine kind, const Placement& placement, Literal& result, const Literal& updates) {
  elements::visit_element(result.shape().dtype, [&]<class Element>(const Element& element) {
    using Storage = typename Element::Storage;
    elements::visit_combine(kind, [&]<Combine kCombine>(std::integral_constant<Combine, kCombine>) {
      scatter_values<Element, kCombine>(element, placement, result.mutable_values<Storage>(),
                                        updates.values<Storage>());
    });
  });
}

}  // namespace

Literal evaluate_scatter(const Instruction& instruction, std::span<const Literal> operands, EvaluateContext& context) {
  const size_t count = (operands.size() - 1) / 2;
  const Literal indices = operands[count];
  const std::span<const Literal> updates = operands.subspan(count + 1);
  const Computation& computation = **instruction.attributes->to_apply;
  const Placement placement = place_updates(instruction, operands[0].shape(), indices, updates[0].shape());
  context.count_steps(static_cast<int64_t>(placement.targets.size()));
  std::vector<Literal> results;
  for (size_t k = 0; k < count; ++k) results.push_back(context.take(operands, k));
  if (const auto combiners = elements::simple_combiners(computation)) {
    for (size_t k = 0; k < count; ++k) scatter_simple((*combiners)[k], placement, results[k], updates[k]);
  } else {
    elements::ScalarFunction function(computation, context);
    std::vector<std::byte*> bases;
    for (Literal& result : results) bases.push_back(result.mutable_bytes().data());
    std::vector<elements::ScalarFunction::Input> inputs(2 * count);
    std::vector<std::byte*> outputs(count);
    for (size_t i = 0; i < placement.targets.size(); ++i) {
      for (size_t k = 0; k < count; ++k) {
        const int64_t bytes = dtype_bytes(results[k].shape().dtype);
        outputs[k] = bases[k] + placement.targets[i] * bytes;
        inputs[k] = {outputs[k], 1};
        inputs[count + k] = {updates[k].bytes().data() + placement.sources[i] * bytes, 1};
      }
      function.run(inputs, outputs, 1);
    }
  }
  return instruction.shape.is_tuple() ? Literal::tuple(std::move(results)) : std::move(results[0]);
}

}  // namespace sinter
