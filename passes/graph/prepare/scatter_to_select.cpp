// scatter_to_select: updates of an array of one value, of which each element may have one alone, are chosen where they
// are: the gradient of take_along_axis with one place a row, one-hot rows.
//
//   %s = f32[64,1000] scatter(%zeros, %label, %u), input_batching_dims={0}, to_apply=%add   (label s32[64,1], u
//   f32[64])
//                                                         =>
//   %own = pred[64,1000] compare(iota over 1000, broadcast(%label)), direction=EQ
//   %s = f32[64,1000] select(%own, add(%zeros, broadcast(%u)), %zeros)
//
// An index out of range is equal to none. The array is computed where it is read then, and its rows are those of the
// kernel around it. Of an array of more than one value the scatter writes its updates alone, which is less.
#include <algorithm>

#include "passes/analysis/values/constants.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/on_arrays.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"
#include "passes/graph/base/scatter_dims.h"

namespace sinter {
namespace {

using Value = GraphBuilder::Value;

// Where an element finds its update.
struct Places {
  Dims of_updates;  // by dimension of the updates' batch: the operand's that it counts; -1: none, it has one element
  Dims named;       // the operand's dimensions that indices name, ...
  Dims component;   // ... and by which component of the index vector
};

// nullopt where an element may have several updates, or windows are parts of the array.
std::optional<Places> places_of(const Instruction& scatter) {
  const Attributes& attributes = scatter.attributes;
  const Shape& operand = scatter.shape;
  const Shape& indices = scatter.operand(1)->shape;
  const Shape& updates = scatter.operand(2)->shape;
  const Dims windows = list(attributes.update_window_dims), inserted = list(attributes.inserted_window_dims);
  const Dims batching = list(attributes.input_batching_dims), mapped = list(attributes.scatter_dims_to_operand_dims);
  const int64_t vector_dim = attributes.index_vector_dim.value();
  Places places;
  Dims batch;  // of the updates
  for (int64_t d = 0; d < updates.rank(); ++d) {
    if (!position_in(windows, d)) batch.push_back(updates.dims[static_cast<size_t>(d)]);
  }
  places.of_updates.assign(batch.size(), -1);
  const auto count = [&](size_t number, int64_t dimension) {
    const bool fits = places.of_updates[number] < 0 && batch[number] == operand.dims[static_cast<size_t>(dimension)];
    if (fits) places.of_updates[number] = dimension;
    return fits;
  };
  for (size_t k = 0; k < batching.size(); ++k) {
    const int64_t along = list(attributes.scatter_indices_batching_dims)[k];
    if (!count(static_cast<size_t>(along - (along > vector_dim ? 1 : 0)), batching[k])) return std::nullopt;
  }
  for (size_t k = 0; k < mapped.size(); ++k) {
    if (!position_in(inserted, mapped[k])) return std::nullopt;
    const std::optional<int64_t> counted = counted_dimension(scatter, static_cast<int64_t>(k));
    if (counted && count(static_cast<size_t>(*counted), mapped[k])) continue;
    places.named.push_back(mapped[k]);
    places.component.push_back(static_cast<int64_t>(k));
  }
  for (size_t number = 0; number < batch.size(); ++number) {
    if (places.of_updates[number] < 0 && batch[number] != 1) return std::nullopt;
  }
  size_t next = 0;
  for (int64_t d = 0; d < operand.rank(); ++d) {
    if (position_in(inserted, d)) {
      if (!position_in(mapped, d)) return std::nullopt;
    } else if (!position_in(batching, d)) {
      const int64_t size = updates.dims[static_cast<size_t>(windows[next++])];
      if (size != operand.dims[static_cast<size_t>(d)]) return std::nullopt;
    }
  }
  for (const int64_t d : places.named) {
    if (operand.dims[static_cast<size_t>(d)] > integer_max(indices.dtype)) return std::nullopt;
  }
  return places;
}

bool to_select(Instruction& scatter) {
  if (scatter.operands().size() != 3 || !scatter.shape.is_array() || scatter.shape.element_count() == 0) return false;
  const Computation& function = **scatter.attributes->to_apply;
  if (!splat_value(*scatter.operand(0)) || !gives_elements(function)) return false;
  const std::optional<Places> places = places_of(scatter);
  if (!places) return false;

  GraphBuilder build(scatter);
  const Dims& dims = scatter.shape.dims;
  Instruction *operand = scatter.operand(0), *indices = scatter.operand(1), *updates = scatter.operand(2);
  const Dims windows = list(scatter.attributes->update_window_dims);
  const int64_t vector_dim = scatter.attributes->index_vector_dim.value();
  // What has an element for each update, with one of its own for each element that the update may be of.
  const auto spread = [&](Value value, const Dims& where) {
    Dims kept, to;
    for (size_t d = 0; d < where.size(); ++d) {
      if (where[d] < 0) continue;
      kept.push_back(value->shape.dims[d]);
      to.push_back(where[d]);
    }
    Dims order = iota_list(static_cast<int64_t>(to.size()));
    std::ranges::sort(order, {}, [&](int64_t d) { return to[static_cast<size_t>(d)]; });
    value = build.reshape(value, kept);
    if (!std::ranges::is_sorted(to)) value = build.transpose(value, order);
    std::ranges::sort(to);
    return build.broadcast(value, dims, to);
  };
  Value own = nullptr;
  for (size_t i = 0; i < places->named.size(); ++i) {
    Value component = indices;
    if (vector_dim < indices->shape.rank()) {
      component = build.slice(component, vector_dim, places->component[i], places->component[i] + 1);
      Dims batch = indices->shape.dims;
      batch.erase(batch.begin() + vector_dim);
      component = build.reshape(component, batch);
    }
    const Value place = build.iota(component->shape.dtype, dims, places->named[i]);
    const Value same = build.compare({place, spread(component, places->of_updates)}, "EQ");
    own = own == nullptr ? same : build.make(Opcode::kAnd, {own, same});
  }
  Dims of_updates;
  size_t batch = 0, window = 0;
  Dims along;  // the operand's dimensions that windows have
  for (int64_t d = 0; d < scatter.shape.rank(); ++d) {
    if (!position_in(list(scatter.attributes->inserted_window_dims), d) &&
        !position_in(list(scatter.attributes->input_batching_dims), d))
      along.push_back(d);
  }
  for (int64_t d = 0; d < updates->shape.rank(); ++d)
    of_updates.push_back(position_in(windows, d) ? along[window++] : places->of_updates[batch++]);
  const Value updated = on_arrays(scatter, function, {operand, spread(updates, of_updates)}, dims)[0];
  if (own == nullptr) {
    become(scatter, Opcode::kCopy, {updated});
  } else {
    become(scatter, Opcode::kSelect, {own, updated, operand});
  }
  return true;
}

}  // namespace

bool scatter_to_select(Module& module, const GraphPassOptions&) {
  bool changed = false;
  for (Instruction* scatter : instructions_of(module, Opcode::kScatter)) changed |= to_select(*scatter);
  if (changed) remove_dead_code(module);
  return changed;
}

}  // namespace sinter
