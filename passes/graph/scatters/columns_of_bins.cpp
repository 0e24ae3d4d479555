// Updates that are rows of a few elements become a scatter for each column, where their bins are a batch's, or where
// those of whole rows leave room for few warps; join_bins makes one stage of them, whose threads have an update each.
//
//   %h = f32[10,256,2] scatter(%zeros, %x, %u), update_window_dims={2}, input_batching_dims={0}, ...
//   x s32[10,1000000,1], u f32[10,1000000,2]: sums of gradients by ten features, as jax.vmap makes them
//                                            =>
//   %first = f32[10,256] scatter(%zeros.1, %x, reshape(slice(%u))), input_batching_dims={0}, ...
//   %second = f32[10,256] scatter(%zeros.1, %x, reshape(slice(%u))), input_batching_dims={0}, ...
//   %h = f32[10,256,2] concatenate(reshape(%first), reshape(%second)), dimensions={2}
#include "passes/graph/scatters/columns_of_bins.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <vector>

#include "passes/analysis/values/constants.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/graph/scatters/scatter_dims.h"
#include "passes/stages/own/bins_stage.h"

namespace sinter {
namespace {

using Value = GraphBuilder::Value;

// Of a result, and of its updates, the one dimension that windows extend over.
struct RowWindow {
  int64_t of_result = 0, of_updates = 0;
  int64_t columns = 1;
};

std::optional<RowWindow> row_window(const Instruction& scatter) {
  const Dims windows = list(scatter.attributes->update_window_dims);
  if (windows.size() != 1) return std::nullopt;
  const Dims inserted = list(scatter.attributes->inserted_window_dims);
  const Dims batching = list(scatter.attributes->input_batching_dims);
  RowWindow window = {.of_updates = windows[0], .columns = scatter.operand(2)->shape.dims[windows[0]]};
  while (position_in(inserted, window.of_result) || position_in(batching, window.of_result)) ++window.of_result;
  const bool whole = scatter.shape.dims[window.of_result] == window.columns;
  if (!whole || position_in(list(scatter.attributes->scatter_dims_to_operand_dims), window.of_result))
    return std::nullopt;
  return window;
}

int64_t without(int64_t dimension, int64_t gone) { return dimension - (dimension > gone ? 1 : 0); }

Dims without(Dims dims, int64_t gone) {
  for (int64_t& d : dims) d = without(d, gone);
  return dims;
}

// How many batches the updates come in that have no bin in common; 0: they are no bins of batches. They may be
// dimensions of a batch, of which one more says the row, or numbers that count along a dimension of the updates.
int64_t batches_of_rows(const Instruction& scatter, const RowWindow& window) {
  const Attributes& attributes = scatter.attributes;
  const Dims& dims = scatter.shape.dims;
  const Dims named = without(list(attributes.scatter_dims_to_operand_dims), window.of_result);
  const Dims batching = without(list(attributes.input_batching_dims), window.of_result);
  if (!batching.empty()) {
    Dims leading(batching.size());
    std::iota(leading.begin(), leading.end(), int64_t{0});
    const bool are_first = batching == leading && list(attributes.scatter_indices_batching_dims) == leading;
    if (!are_first || named != Dims{std::ssize(leading)} || scatter.shape.rank() != std::ssize(leading) + 2) return 0;
    const int64_t rows = dims[window.of_result == scatter.shape.rank() - 1 ? dims.size() - 2 : dims.size() - 1];
    return scatter.shape.element_count() / std::max<int64_t>(rows * window.columns, 1);
  }
  if (std::ssize(named) != scatter.shape.rank() - 1) return 0;
  const Dims updates = scatter.operand(2)->shape.dims;
  int64_t batches = 1;
  Dims counted;
  for (size_t k = 0; k < named.size(); ++k) {
    const std::optional<int64_t> along = counted_dimension(scatter, static_cast<int64_t>(k));
    const int64_t size = dims[(*attributes.scatter_dims_to_operand_dims)[k]];
    if (!along || updates[*along + (*along >= window.of_updates ? 1 : 0)] != size || position_in(counted, *along))
      continue;
    counted.push_back(*along);
    batches *= size;
  }
  const bool vector_last = attributes.index_vector_dim == scatter.operand(1)->shape.rank() - 1;
  return batches == 1 || vector_last ? batches : 0;
}

Value column_of(GraphBuilder& builder, Value array, int64_t dimension, int64_t column) {
  Dims dims = array->shape.dims;
  dims.erase(dims.begin() + dimension);
  return builder.reshape(builder.slice(array, dimension, column, column + 1), dims);
}

}  // namespace

bool separate_columns_of_bins(Instruction& scatter) {
  if (scatter.operands().size() != 3 || scatter.shape.element_count() == 0) return false;
  const std::optional<RowWindow> window = row_window(scatter);
  if (!window || window->columns < 2) return false;
  const int64_t batches = batches_of_rows(scatter, *window);
  if (batches == 0 || !wants_bins_of_columns(scatter, batches, window->columns)) return false;

  GraphBuilder builder(scatter);
  const Attributes& whole = scatter.attributes;
  Dims one = scatter.shape.dims;
  one[window->of_result] = 1;
  std::vector<Value> columns;
  for (int64_t column = 0; column < window->columns; ++column) {
    Attributes attributes = whole;
    attributes.update_window_dims = Dims{};
    attributes.inserted_window_dims = without(list(whole.inserted_window_dims), window->of_result);
    attributes.scatter_dims_to_operand_dims = without(list(whole.scatter_dims_to_operand_dims), window->of_result);
    if (whole.input_batching_dims)
      attributes.input_batching_dims = without(list(whole.input_batching_dims), window->of_result);
    const Value operand = column_of(builder, scatter.operand(0), window->of_result, column);
    const Value updates = column_of(builder, scatter.operand(2), window->of_updates, column);
    const Value sums = builder.make(Opcode::kScatter, {operand, scatter.operand(1), updates}, std::move(attributes));
    columns.push_back(builder.reshape(sums, one));
  }
  scatter.replace_all_uses_with(builder.concatenate(columns, window->of_result));
  return true;
}

}  // namespace sinter
