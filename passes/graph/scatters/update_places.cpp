#include "passes/graph/scatters/update_places.h"

#include "passes/analysis/values/constants.h"

namespace sinter {

std::optional<UpdatePlaces> update_places(const Instruction& scatter) {
  const Attributes& attributes = scatter.attributes;
  const Shape& operand = scatter.shape;
  const Shape& indices = scatter.operand(1)->shape;
  const Shape& updates = scatter.operand(2)->shape;
  const Dims windows = list(attributes.update_window_dims), inserted = list(attributes.inserted_window_dims);
  const Dims batching = list(attributes.input_batching_dims), mapped = list(attributes.scatter_dims_to_operand_dims);
  const int64_t vector_dim = attributes.index_vector_dim.value();
  UpdatePlaces places;
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

}  // namespace sinter
