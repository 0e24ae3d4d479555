// Shape rules of ops whose operands say where elements are read or written.
//
// Words of gather and scatter, the same for both: the indices array holds index vectors along index_vector_dim;
// its other dimensions are batch dimensions. Each index vector places one window in the operand. The window's
// dimensions of size 1 that are collapsed (gather) or inserted (scatter), and the batching dimensions, are absent
// from the gathered result or the scattered updates.
#include "ir/infer/infer_indexed.h"

#include "ir/infer/called_signature.h"
#include "ir/infer/infer_common.h"

namespace sinter {
namespace {

// Start indices of dynamic-slice and dynamic-update-slice: one integer scalar for each dimension, all of one type,
// or (the older form) one vector of them.
ShapeError check_start_indices(const Instruction& instruction, size_t first, int64_t rank) {
  const size_t count = operand_count(instruction) - first;
  if (count == 1 && operand_shape(instruction, first).rank() == 1) {
    const Shape& vector = operand_shape(instruction, first);
    if (is_integer(vector.dtype) && vector.dims[0] == rank) return {};
    return {
        operand_text(instruction, first) + " is " + text(vector) + ", must hold " + std::to_string(rank) + " integers",
        ""};
  }
  if (static_cast<int64_t>(count) != rank) {
    return {"has " + std::to_string(count) + " start indices for " + std::to_string(rank) + " dimensions", ""};
  }
  for (size_t i = first; i < operand_count(instruction); ++i) {
    const Shape& shape = operand_shape(instruction, i);
    if (!shape.is_scalar() || !is_integer(shape.dtype)) {
      return {operand_text(instruction, i) + " is " + text(shape) + ", must be an integer scalar", ""};
    }
    if (shape.dtype != operand_shape(instruction, first).dtype) {
      return {"start indices have different types: " + text(operand_shape(instruction, first)) + " and " + text(shape),
              ""};
    }
  }
  return {};
}

ShapeError check_window_sizes(std::string_view what, const std::vector<int64_t>& sizes, const Shape& operand) {
  if (static_cast<int64_t>(sizes.size()) != operand.rank()) {
    return {std::string(what) + "=" + text(sizes) + " must have one entry for each dimension of " + text(operand), ""};
  }
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] >= 0 && sizes[i] <= operand.dims[i]) continue;
    return {std::string(what) + ": " + std::to_string(sizes[i]) + " for dimension " + std::to_string(i) +
                " is out of range for " + text(operand),
            "it must be 0 to " + std::to_string(operand.dims[i])};
  }
  return {};
}

// The attributes that gather and scatter have in common, under the names each gives them.
struct IndexedDims {
  const std::vector<int64_t>& window;    // offset_dims, update_window_dims
  const std::vector<int64_t>& removed;   // collapsed_slice_dims, inserted_window_dims
  const std::vector<int64_t>& mapped;    // start_index_map, scatter_dims_to_operand_dims
  const std::vector<int64_t>& batching;  // operand_batching_dims, input_batching_dims
  const std::vector<int64_t>& indices_batching;
  int64_t index_vector_dim;
  std::string_view window_name, removed_name, mapped_name, batching_name, indices_batching_name;
};

IndexedDims gather_dims(const Attributes& attributes) {
  return {*attributes.offset_dims,
          *attributes.collapsed_slice_dims,
          *attributes.start_index_map,
          list_or_empty(attributes.operand_batching_dims),
          list_or_empty(attributes.start_indices_batching_dims),
          *attributes.index_vector_dim,
          "offset_dims",
          "collapsed_slice_dims",
          "start_index_map",
          "operand_batching_dims",
          "start_indices_batching_dims"};
}

IndexedDims scatter_dims(const Attributes& attributes) {
  return {*attributes.update_window_dims,
          *attributes.inserted_window_dims,
          *attributes.scatter_dims_to_operand_dims,
          list_or_empty(attributes.input_batching_dims),
          list_or_empty(attributes.scatter_indices_batching_dims),
          *attributes.index_vector_dim,
          "update_window_dims",
          "inserted_window_dims",
          "scatter_dims_to_operand_dims",
          "input_batching_dims",
          "scatter_indices_batching_dims"};
}

// The constraints on operand and indices; `result` is the gathered result or the updates, of which only the rank
// counts here.
ShapeError check_indexed(const IndexedDims& dims, const Shape& operand, const Shape& indices, const Shape& result) {
  if (!is_integer(indices.dtype)) return {"the indices are " + text(indices) + ", must be integers", ""};
  if (dims.index_vector_dim < 0 || dims.index_vector_dim > indices.rank()) {
    return {"index_vector_dim=" + std::to_string(dims.index_vector_dim) + " is out of range for " + text(indices),
            "it must be 0 to " + std::to_string(indices.rank())};
  }

  for (const auto& [name, list, shape, sorted] :
       {std::tuple(dims.window_name, &dims.window, &result, true),
        std::tuple(dims.removed_name, &dims.removed, &operand, true),
        std::tuple(dims.mapped_name, &dims.mapped, &operand, false),
        std::tuple(dims.batching_name, &dims.batching, &operand, true),
        std::tuple(dims.indices_batching_name, &dims.indices_batching, &indices, false)}) {
    if (ShapeError error = check_dimensions(name, *list, *shape); failed(error)) return error;
    if (!sorted) continue;
    if (ShapeError error = check_sorted(name, *list); failed(error)) return error;
  }

  for (const int64_t dimension : dims.batching) {
    if (contains(dims.removed, dimension) || contains(dims.mapped, dimension)) {
      return {std::string(dims.batching_name) + ": dimension " + std::to_string(dimension) + " is also in " +
                  std::string(contains(dims.removed, dimension) ? dims.removed_name : dims.mapped_name),
              ""};
    }
  }
  if (dims.batching.size() != dims.indices_batching.size()) {
    return {
        std::string(dims.batching_name) + " and " + std::string(dims.indices_batching_name) + " have different lengths",
        ""};
  }
  for (size_t i = 0; i < dims.batching.size(); ++i) {
    if (dims.indices_batching[i] == dims.index_vector_dim) {
      return {std::string(dims.indices_batching_name) + " contains index_vector_dim", ""};
    }
    if (operand.dims[static_cast<size_t>(dims.batching[i])] !=
        indices.dims[static_cast<size_t>(dims.indices_batching[i])]) {
      return {"batching dimensions of " + text(operand) + " and " + text(indices) + " have different sizes", ""};
    }
  }

  const bool scalars = dims.index_vector_dim == indices.rank();
  const int64_t length = scalars ? 1 : indices.dims[static_cast<size_t>(dims.index_vector_dim)];
  if (static_cast<int64_t>(dims.mapped.size()) != length) {
    return {std::string(dims.mapped_name) + "=" + text(dims.mapped) + " must have one entry for each of the " +
                std::to_string(length) + " elements of an index vector",
            ""};
  }
  const size_t window_rank = operand.dims.size() - dims.removed.size() - dims.batching.size();
  if (dims.window.size() != window_rank) {
    return {std::string(dims.window_name) + "=" + text(dims.window) + " must have " + std::to_string(window_rank) +
                " entries: the dimensions of " + text(operand) + " that are neither in " +
                std::string(dims.removed_name) + " nor in " + std::string(dims.batching_name),
            ""};
  }
  return {};
}

// Sizes of the batch dimensions: those of the indices but for index_vector_dim.
std::vector<int64_t> batch_sizes(const Shape& indices, int64_t index_vector_dim) {
  return remaining_dims(indices, {index_vector_dim});
}

// The gathered result or scattered updates: window sizes at the places `window`, batch sizes elsewhere, in order.
std::vector<int64_t> merge(const std::vector<int64_t>& window, const std::vector<int64_t>& window_sizes,
                           const std::vector<int64_t>& batch) {
  std::vector<int64_t> dims;
  size_t next_window = 0;
  size_t next_batch = 0;
  for (size_t i = 0; i < window_sizes.size() + batch.size(); ++i) {
    const bool is_window = contains(window, static_cast<int64_t>(i));
    dims.push_back(is_window ? window_sizes[next_window++] : batch[next_batch++]);
  }
  return dims;
}

}  // namespace

ShapeResult infer_dynamic_slice(const Instruction& instruction) {
  if (ShapeError error = check_operand_count(instruction, 1); failed(error)) return error;
  if (ShapeError error = check_arrays(instruction); failed(error)) return error;
  const Shape& operand = operand_shape(instruction, 0);
  const std::vector<int64_t>& sizes = *instruction.attributes->dynamic_slice_sizes;
  if (ShapeError error = check_window_sizes("dynamic_slice_sizes", sizes, operand); failed(error)) return error;
  if (ShapeError error = check_start_indices(instruction, 1, operand.rank()); failed(error)) return error;
  return Shape::array(operand.dtype, sizes);
}

ShapeResult infer_dynamic_update_slice(const Instruction& instruction) {
  if (ShapeError error = check_operand_count(instruction, 2); failed(error)) return error;
  if (ShapeError error = check_arrays(instruction); failed(error)) return error;
  const Shape& operand = operand_shape(instruction, 0);
  const Shape& update = operand_shape(instruction, 1);
  if (update.dtype != operand.dtype) {
    return ShapeError{"the update " + text(update) + " has another element type than " + text(operand), ""};
  }
  if (ShapeError error = check_window_sizes("update sizes", update.dims, operand); failed(error)) return error;
  if (ShapeError error = check_start_indices(instruction, 2, operand.rank()); failed(error)) return error;
  return with_type(operand, operand.dtype);
}

ShapeResult infer_gather(const Instruction& instruction) {
  if (ShapeError error = check_arrays(instruction); failed(error)) return error;
  const Shape& operand = operand_shape(instruction, 0);
  const Shape& indices = operand_shape(instruction, 1);
  const IndexedDims dims = gather_dims(instruction.attributes);
  const std::vector<int64_t>& sizes = *instruction.attributes->slice_sizes;

  const std::vector<int64_t> batch = batch_sizes(indices, dims.index_vector_dim);
  const Shape result_rank = Shape::array(operand.dtype, std::vector<int64_t>(batch.size() + dims.window.size()));
  if (ShapeError error = check_indexed(dims, operand, indices, result_rank); failed(error)) return error;
  if (ShapeError error = check_window_sizes("slice_sizes", sizes, operand); failed(error)) return error;

  std::vector<int64_t> window_sizes;
  for (int64_t i = 0; i < operand.rank(); ++i) {
    const int64_t size = sizes[static_cast<size_t>(i)];
    if (!contains(dims.removed, i) && !contains(dims.batching, i)) {
      window_sizes.push_back(size);
    } else if (size > 1) {
      return ShapeError{
          "slice_sizes: " + std::to_string(size) + " for the collapsed or batching dimension " + std::to_string(i),
          "it must be 1"};
    }
  }
  return Shape::array(operand.dtype, merge(dims.window, window_sizes, batch));
}

ShapeResult infer_scatter(const Instruction& instruction) {
  if (ShapeError error = check_operand_count(instruction, 3); failed(error)) return error;
  if (ShapeError error = check_arrays(instruction); failed(error)) return error;
  if (operand_count(instruction) % 2 == 0) {
    return ShapeError{"has " + std::to_string(operand_count(instruction)) + " operands",
                      "they are N arrays, the indices, and N updates"};
  }
  const size_t count = operand_count(instruction) / 2;
  const Shape& operand = operand_shape(instruction, 0);
  const Shape& indices = operand_shape(instruction, count);
  const Shape& updates = operand_shape(instruction, count + 1);
  const IndexedDims dims = scatter_dims(instruction.attributes);

  std::vector<Shape> results;
  for (size_t i = 0; i < count; ++i) {
    const Shape& array = operand_shape(instruction, i);
    const Shape& update = operand_shape(instruction, count + 1 + i);
    if (array.dims != operand.dims) {
      return ShapeError{"operands have different dimensions: " + text(operand) + " and " + text(array), ""};
    }
    if (update.dims != updates.dims || update.dtype != array.dtype) {
      return ShapeError{operand_text(instruction, count + 1 + i) + " is " + text(update) + ", must be " +
                            text(with_type(updates, array.dtype)),
                        ""};
    }
    results.push_back(with_type(array, array.dtype));
  }

  const std::vector<int64_t> batch = batch_sizes(indices, dims.index_vector_dim);
  if (updates.dims.size() != batch.size() + dims.window.size()) {
    return ShapeError{"the updates " + text(updates) + " must have " +
                          std::to_string(batch.size() + dims.window.size()) +
                          " dimensions: those of the indices but for the index vector, and update_window_dims",
                      ""};
  }
  if (ShapeError error = check_indexed(dims, operand, indices, updates); failed(error)) return error;

  std::vector<int64_t> removed = dims.removed;
  removed.insert(removed.end(), dims.batching.begin(), dims.batching.end());
  const std::vector<int64_t> bounds = remaining_dims(operand, removed);
  std::vector<int64_t> window_sizes;
  for (const int64_t dimension : dims.window) window_sizes.push_back(updates.dims[static_cast<size_t>(dimension)]);
  for (size_t i = 0; i < window_sizes.size(); ++i) {
    if (window_sizes[i] <= bounds[i]) continue;
    return ShapeError{"the update window of size " + std::to_string(window_sizes[i]) + " does not fit " + text(operand),
                      ""};
  }
  if (merge(dims.window, window_sizes, batch) != updates.dims) {
    return ShapeError{
        "the batch dimensions of the updates " + text(updates) + " differ from those of the indices " + text(indices),
        ""};
  }
  return single_or_tuple(std::move(results));
}

ShapeError verify_scatter(const Instruction& instruction) {
  const size_t count = operand_count(instruction) / 2;
  std::vector<Shape> elements;
  for (size_t i = 0; i < count; ++i) elements.push_back(Shape::scalar(operand_shape(instruction, i).dtype));
  std::vector<Shape> parameters = elements;
  parameters.insert(parameters.end(), elements.begin(), elements.end());
  return check_signature(**instruction.attributes->to_apply, parameters, single_or_tuple(elements));
}

}  // namespace sinter
