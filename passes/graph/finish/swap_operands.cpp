#include "passes/graph/finish/swap_operands.h"

#include <algorithm>

#include "passes/analysis/shapes/dot_dimensions.h"

namespace sinter {

void swap_operands(Instruction& dot) {
  Attributes& attributes = dot.attributes.edit();
  const size_t batch = operand_dims(dot, 0).batch.size(), left = operand_dims(dot, 0).free.size();
  std::rotate(dot.shape.dims.begin() + static_cast<ptrdiff_t>(batch),
              dot.shape.dims.begin() + static_cast<ptrdiff_t>(batch + left), dot.shape.dims.end());
  dot.shape.layout = {};
  std::swap(attributes.lhs_batch_dims, attributes.rhs_batch_dims);
  std::swap(attributes.lhs_contracting_dims, attributes.rhs_contracting_dims);
  if (attributes.operand_precision && attributes.operand_precision->size() == 2)
    std::swap(attributes.operand_precision->front(), attributes.operand_precision->back());
  dot.set_operands({dot.operand(1), dot.operand(0)});
}

std::vector<int64_t> dimensions_when_swapped(const Instruction& dot) {
  const auto batch = static_cast<int64_t>(operand_dims(dot, 0).batch.size());
  const auto left = static_cast<int64_t>(operand_dims(dot, 0).free.size());
  const auto right = static_cast<int64_t>(operand_dims(dot, 1).free.size());
  std::vector<int64_t> places;
  for (int64_t dim = 0; dim < batch; ++dim) places.push_back(dim);
  for (int64_t dim = 0; dim < left; ++dim) places.push_back(batch + right + dim);
  for (int64_t dim = 0; dim < right; ++dim) places.push_back(batch + dim);
  return places;
}

}  // namespace sinter
