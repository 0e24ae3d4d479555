// The dimensions that a scatter's attributes list; empty where one is not given.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "ir/module/module.h"

namespace sinter {

struct ScatterLists {
  std::vector<int64_t> window_dims;         // of the updates
  std::vector<int64_t> inserted, batching;  // of the operand
  std::vector<int64_t> indices_batching;    // of the indices
  std::vector<int64_t> start_map;           // by component of the indices, of the operand
  int64_t vector_dim = 0;                   // of the indices
};

inline ScatterLists scatter_lists(const Attributes& attributes, const Shape& indices) {
  const auto list = [](const AttributeValue<std::vector<int64_t>>& dims) {
    return dims.value_or(std::vector<int64_t>{});
  };
  return {.window_dims = list(attributes.update_window_dims),
          .inserted = list(attributes.inserted_window_dims),
          .batching = list(attributes.input_batching_dims),
          .indices_batching = list(attributes.scatter_indices_batching_dims),
          .start_map = list(attributes.scatter_dims_to_operand_dims),
          .vector_dim = attributes.index_vector_dim.value_or(indices.rank())};
}

inline bool contains(const std::vector<int64_t>& dims, int64_t dimension) {
  return std::find(dims.begin(), dims.end(), dimension) != dims.end();
}

}  // namespace sinter
