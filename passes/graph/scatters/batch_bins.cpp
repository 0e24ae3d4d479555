// batch_bins: very many updates of single elements, whose place is in part their own number along a dimension, are a
// batch: for each such number a histogram of its own, whose bins are few enough for a block.
//
//   %h = f32[32,256] scatter(%zeros, concatenate(iota, %x), %updates)       (x s32[1000000,32], the iota along its 32)
//                                                         =>
//   %h = f32[32,256] scatter(%zeros, transpose(%x), transpose(%updates)), input_batching_dims={0}, ...
//
// What else says where an update belongs becomes the number of a bin. So it is of places in a flat array: of
// (a * 32 + j) * 256 + b, where j is an update's number along a dimension, and b is below 256, a * 256 + b is the
// number of the bin. Updates that are rows of a few elements are taken apart first (columns_of_bins.cpp).
#include <algorithm>
#include <optional>
#include <vector>

#include "passes/analysis/loops/place_digits.h"
#include "passes/analysis/values/constants.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"
#include "passes/graph/scatters/columns_of_bins.h"
#include "passes/graph/scatters/scatter_dims.h"
#include "passes/stages/own/bins_stage.h"

namespace sinter {
namespace {

using Value = GraphBuilder::Value;

// Dimensions of the result that dimensions of the updates count along, in the order of the result's.
struct Batch {
  Dims of_result, of_updates;
  int64_t count = 1;
};

std::optional<size_t> component_of(const Instruction& scatter, int64_t dimension) {
  return position_in(list(scatter.attributes->scatter_dims_to_operand_dims), dimension);
}

Batch find_batch(const Instruction& scatter) {
  Batch batch;
  const Dims& updates = scatter.operand(2)->shape.dims;
  for (int64_t d = 0; d < scatter.shape.rank(); ++d) {
    const int64_t size = scatter.shape.dims[d];
    const std::optional<size_t> component = component_of(scatter, d);
    if (size == 1 || !component) continue;
    const std::optional<int64_t> along = counted_dimension(scatter, static_cast<int64_t>(*component));
    if (!along || updates[*along] != size || position_in(batch.of_updates, *along)) continue;
    batch.of_result.push_back(d);
    batch.of_updates.push_back(*along);
    batch.count *= size;
  }
  return batch;
}

// Those of a batch before the others, of so many.
Dims batch_first(const Dims& batch, int64_t rank) {
  Dims order = batch;
  for (int64_t d = 0; d < rank; ++d) {
    if (!position_in(batch, d)) order.push_back(d);
  }
  return order;
}

Value in_order(GraphBuilder& builder, Value array, const Dims& order, const Dims& dims) {
  return builder.reshape(builder.transpose(array, order), dims);
}

// The number of the bin of each update, of those of its batch: -1 where it is none.
Value bin_numbers(GraphBuilder& builder, const Instruction& scatter, const Batch& batch) {
  Instruction* indices = scatter.operand(1);
  const int64_t vector_dim = scatter.attributes->index_vector_dim.value();
  const Dims& updates = scatter.operand(2)->shape.dims;
  Value number = nullptr, fits = nullptr;
  for (int64_t d = 0; d < scatter.shape.rank(); ++d) {
    if (position_in(batch.of_result, d)) continue;
    const auto component = static_cast<int64_t>(*component_of(scatter, d));
    Value place = builder.reshape(builder.slice(indices, vector_dim, component, component + 1), updates);
    if (dtype_bits(place->shape.dtype) < 32) place = builder.convert(place, DType::kS32);
    const DType type = place->shape.dtype;
    Value inside = builder.compare({place, builder.integer(type, scatter.shape.dims[d] - 1, updates)}, "LE");
    if (is_signed_integer(type)) {
      const Value from_zero = builder.compare({place, builder.integer(type, 0, updates)}, "GE");
      inside = builder.make(Opcode::kAnd, {from_zero, inside});
    }
    fits = fits == nullptr ? inside : builder.make(Opcode::kAnd, {fits, inside});
    if (type != DType::kS32) place = builder.convert(place, DType::kS32);
    if (number != nullptr) {
      number = builder.multiply({number, builder.integer(DType::kS32, scatter.shape.dims[d], updates)});
      place = builder.add({number, place});
    }
    number = place;
  }
  if (number == nullptr) return builder.integer(DType::kS32, 0, updates);
  return builder.select({fits, number, builder.integer(DType::kS32, -1, updates)});
}

// The bins of all of a batch: f[B,R], of operand f[B,R] and the numbers of the updates in their order.
Value scatter_batch(GraphBuilder& builder, const Instruction& scatter, Value operand, Value numbers,
                    const Batch& batch) {
  const Shape& updates = scatter.operand(2)->shape;
  const Dims order = batch_first(batch.of_updates, updates.rank());
  const Dims each = {batch.count, updates.element_count() / batch.count};
  Attributes attributes;
  attributes.update_window_dims = Dims{};
  attributes.inserted_window_dims = Dims{1};
  attributes.scatter_dims_to_operand_dims = Dims{1};
  attributes.input_batching_dims = Dims{0};
  attributes.scatter_indices_batching_dims = Dims{0};
  attributes.index_vector_dim = 2;
  attributes.unique_indices = scatter.attributes->unique_indices;
  attributes.to_apply = scatter.attributes->to_apply;
  const std::vector<Value> operands = {operand, in_order(builder, numbers, order, each),
                                       in_order(builder, scatter.operand(2), order, each)};
  return builder.make(Opcode::kScatter, operands, std::move(attributes));
}

bool to_batch(Instruction& scatter) {
  const Attributes& attributes = scatter.attributes;
  const int64_t rank = scatter.shape.rank();
  if (rank < 2 || scatter.operands().size() != 3 || !list(attributes.update_window_dims).empty()) return false;
  const Dims start_map = list(attributes.scatter_dims_to_operand_dims);
  // Each dimension has a component: a concatenation along the last of the indices' dimensions.
  if (std::ssize(start_map) != rank || attributes.index_vector_dim != scatter.operand(1)->shape.rank() - 1)
    return false;
  const Batch batch = find_batch(scatter);
  if (batch.count == 1 || scatter.shape.element_count() == 0) return false;
  if (!wants_bins_of_batches(scatter, batch.count)) return false;

  GraphBuilder builder(scatter);
  const Dims result_order = batch_first(batch.of_result, rank);
  const Dims bins = {batch.count, scatter.shape.element_count() / batch.count};
  const Value operand = in_order(builder, scatter.operand(0), result_order, bins);
  Value result = scatter_batch(builder, scatter, operand, bin_numbers(builder, scatter, batch), batch);
  Dims dims, back(rank);
  for (int64_t d = 0; d < rank; ++d) {
    dims.push_back(scatter.shape.dims[result_order[d]]);
    back[result_order[d]] = d;
  }
  scatter.replace_all_uses_with(builder.transpose(builder.reshape(result, dims), back));
  return true;
}

// A flat array's elements: `modulus` to each number of what is unknown, of which `step` have one number along a
// dimension.
struct FlatBatch {
  Batch batch;
  int64_t modulus = 0, step = 0;
};

std::optional<FlatBatch> find_flat_batch(const Instruction& scatter, const Ranges& ranges) {
  const Instruction& indices = *scatter.operand(1);
  const int64_t count = scatter.shape.element_count(), vector_dim = scatter.attributes->index_vector_dim.value();
  for (int64_t d = 0; d < indices.shape.rank(); ++d) {
    const int64_t size = indices.shape.dims[d];
    if (d == vector_dim || size == 1 || !wants_bins_of_batches(scatter, size)) continue;
    const PlaceDigits digits = digits_of(indices, d, ranges);
    FlatBatch flat = {.modulus = digits.modulus == 0 ? count : digits.modulus, .step = digits.step};
    const bool is_digit = digits.step > 0 && digits.low >= 0 && digits.high < digits.step;
    if (!is_digit || digits.step * size != flat.modulus || count % flat.modulus != 0) continue;
    flat.batch = {.of_updates = {d - (d > vector_dim ? 1 : 0)}, .count = size};
    return flat;
  }
  return std::nullopt;
}

bool is_flat(const Instruction& scatter) {
  const bool is_one = scatter.shape.rank() == 1 && scatter.operands().size() == 3 && scatter.shape.element_count() > 0;
  return is_one && list(scatter.attributes->update_window_dims).empty() &&
         list(scatter.attributes->scatter_dims_to_operand_dims).size() == 1 && scatter.operand(2)->shape.rank() > 1 &&
         is_integer(scatter.operand(1)->shape.dtype) && scatter.shape.element_count() < INT32_MAX;
}

bool to_flat_batch(Instruction& scatter, const Ranges& ranges) {
  const std::optional<FlatBatch> flat = find_flat_batch(scatter, ranges);
  if (!flat) return false;
  const auto [batch, modulus, step] = *flat;
  GraphBuilder builder(scatter);
  const Dims& updates = scatter.operand(2)->shape.dims;
  const int64_t count = scatter.shape.element_count();
  Value place = builder.reshape(scatter.operand(1), updates);
  if (dtype_bits(place->shape.dtype) < 32) place = builder.convert(place, DType::kS32);
  const DType type = place->shape.dtype;
  const auto number = [&](int64_t value) { return builder.integer(type, value, updates); };
  Value inside = builder.compare({place, number(count - 1)}, "LE");
  if (is_signed_integer(type)) {
    inside = builder.make(Opcode::kAnd, {builder.compare({place, number(0)}, "GE"), inside});
  }
  const Value within = builder.make(Opcode::kRemainder, {place, number(step)});
  Value bin = within;
  if (modulus != count) {
    const Value first = builder.multiply({builder.make(Opcode::kDivide, {place, number(modulus)}), number(step)});
    bin = builder.add({first, within});
  }
  bin = builder.convert(bin, DType::kS32);
  bin = builder.select({inside, bin, builder.integer(DType::kS32, -1, updates)});
  const Value nothing = builder.constant(*splat_value(*scatter.operand(0)));
  const Value operand = builder.splat(nothing, {batch.count, count / batch.count});
  Value result = scatter_batch(builder, scatter, operand, bin, batch);
  result = builder.reshape(result, {batch.count, count / modulus, step});
  scatter.replace_all_uses_with(builder.reshape(builder.transpose(result, {1, 0, 2}), {count}));
  return true;
}

}  // namespace

bool batch_bins(Module& module, const GraphPassOptions&) {
  const auto unused = [](const Instruction* scatter) {
    return scatter->users().empty() && scatter->parent()->root() != scatter;
  };
  bool changed = false;
  for (Instruction* scatter : instructions_of(module, Opcode::kScatter)) {
    if (!unused(scatter)) changed |= separate_columns_of_bins(*scatter);
  }
  std::vector<Instruction*> scatters = instructions_of(module, Opcode::kScatter);
  std::erase_if(scatters, unused);
  for (Instruction* scatter : scatters) changed |= to_batch(*scatter);
  std::erase_if(scatters, [](const Instruction* scatter) { return !is_flat(*scatter); });
  if (!scatters.empty()) {
    const Ranges ranges(module);
    for (Instruction* scatter : scatters) changed |= to_flat_batch(*scatter, ranges);
  }
  if (changed) remove_dead_code(module);
  return changed;
}

}  // namespace sinter
