// Lists of dimensions, as scatters have them, and what their indices count along.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "ir/module/module.h"
#include "passes/graph/base/graph_builder.h"

namespace sinter {

using Dims = std::vector<int64_t>;

// Empty where the attribute is not given.
inline Dims list(const AttributeValue<Dims>& dims) { return dims.value_or(Dims{}); }

inline std::optional<size_t> position_in(const Dims& dims, int64_t dimension) {
  const auto found = std::find(dims.begin(), dims.end(), dimension);
  if (found == dims.end()) return std::nullopt;
  return static_cast<size_t>(found - dims.begin());
}

// Which dimension of the updates' batch a component of a scatter's indices counts along; nullopt: none.
std::optional<int64_t> counted_dimension(const Instruction& scatter, int64_t component);

// The number that a component of a scatter's indices is in all of them; nullopt where it is none, or not known.
std::optional<int64_t> constant_component(const Instruction& scatter, int64_t component);

// The indices with their vectors along the last dimension.
Instruction* vectors_last(Instruction& scatter, GraphBuilder* build);

// Of attributes whose indices, of so many dimensions, had their vectors along another dimension than the last.
void set_vectors_last(int64_t rank, Attributes* attributes);

}  // namespace sinter
