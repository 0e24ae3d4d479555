#include "passes/analysis/shapes/dot_dimensions.h"

#include <algorithm>

namespace sinter {

OperandDims operand_dims(const Instruction& dot, size_t side) {
  const Attributes& attributes = dot.attributes;
  OperandDims dims;
  dims.batch = (side == 0 ? attributes.lhs_batch_dims : attributes.rhs_batch_dims).value_or(std::vector<int64_t>{});
  dims.contracting =
      (side == 0 ? attributes.lhs_contracting_dims : attributes.rhs_contracting_dims).value_or(std::vector<int64_t>{});
  for (int64_t d = 0; d < dot.operand(side)->shape.rank(); ++d) {
    const bool other = std::find(dims.batch.begin(), dims.batch.end(), d) != dims.batch.end() ||
                       std::find(dims.contracting.begin(), dims.contracting.end(), d) != dims.contracting.end();
    if (!other) dims.free.push_back(d);
  }
  return dims;
}

std::vector<int64_t> sizes(const Shape& shape, const std::vector<int64_t>& dims) {
  std::vector<int64_t> result;
  for (const int64_t d : dims) result.push_back(shape.dims[d]);
  return result;
}

int64_t product(const Shape& shape, const std::vector<int64_t>& dims) {
  int64_t result = 1;
  for (const int64_t d : dims) result *= shape.dims[d];
  return result;
}

}  // namespace sinter
