// Shape rules of contractions.
#include "ir/infer/infer_contraction.h"

#include "ir/infer/infer_common.h"

namespace sinter {
namespace {

size_t at(int64_t dimension) { return static_cast<size_t>(dimension); }

std::vector<int64_t> joined(const std::vector<int64_t>& a, const std::vector<int64_t>& b) {
  std::vector<int64_t> result = a;
  result.insert(result.end(), b.begin(), b.end());
  return result;
}

// The four lists name dimensions of their operand, none twice over batch and contracting together, and pair up in
// length.
ShapeError check_lists(const Attributes& attributes, const Shape& lhs, const Shape& rhs) {
  const std::vector<int64_t>& lhs_batch = list_or_empty(attributes.lhs_batch_dims);
  const std::vector<int64_t>& rhs_batch = list_or_empty(attributes.rhs_batch_dims);
  const std::vector<int64_t>& lhs_contracting = list_or_empty(attributes.lhs_contracting_dims);
  const std::vector<int64_t>& rhs_contracting = list_or_empty(attributes.rhs_contracting_dims);
  if (ShapeError error =
          check_dimensions("lhs_batch_dims and lhs_contracting_dims", joined(lhs_batch, lhs_contracting), lhs);
      failed(error)) {
    return error;
  }
  return check_dimensions("rhs_batch_dims and rhs_contracting_dims", joined(rhs_batch, rhs_contracting), rhs);
}

ShapeError check_pairs(std::string_view what, const std::vector<int64_t>& lhs_dims,
                       const std::vector<int64_t>& rhs_dims, const Shape& lhs, const Shape& rhs) {
  if (lhs_dims.size() != rhs_dims.size()) {
    return {"lhs_" + std::string(what) + "=" + text(lhs_dims) + " and rhs_" + std::string(what) + "=" + text(rhs_dims) +
                " have different lengths",
            ""};
  }
  for (size_t i = 0; i < lhs_dims.size(); ++i) {
    if (lhs.dims[at(lhs_dims[i])] == rhs.dims[at(rhs_dims[i])]) continue;
    return {std::string(what) + ": dimension " + std::to_string(lhs_dims[i]) + " of " + text(lhs) + " and dimension " +
                std::to_string(rhs_dims[i]) + " of " + text(rhs) + " have different sizes",
            ""};
  }
  return {};
}

// The dot of two operands of the instruction.
ShapeResult dot_of(const Instruction& instruction, const Shape& lhs, const Shape& rhs) {
  const Attributes& attributes = instruction.attributes;
  const std::vector<int64_t>& lhs_batch = list_or_empty(attributes.lhs_batch_dims);
  const std::vector<int64_t>& rhs_batch = list_or_empty(attributes.rhs_batch_dims);
  const std::vector<int64_t>& lhs_contracting = list_or_empty(attributes.lhs_contracting_dims);
  const std::vector<int64_t>& rhs_contracting = list_or_empty(attributes.rhs_contracting_dims);
  if (ShapeError error = check_lists(attributes, lhs, rhs); failed(error)) return error;
  if (ShapeError error = check_pairs("batch_dims", lhs_batch, rhs_batch, lhs, rhs); failed(error)) return error;
  if (ShapeError error = check_pairs("contracting_dims", lhs_contracting, rhs_contracting, lhs, rhs); failed(error)) {
    return error;
  }
  std::vector<int64_t> dims;
  for (const int64_t dimension : lhs_batch) dims.push_back(lhs.dims[at(dimension)]);
  dims = joined(dims, remaining_dims(lhs, joined(lhs_batch, lhs_contracting)));
  dims = joined(dims, remaining_dims(rhs, joined(rhs_batch, rhs_contracting)));
  return Shape::array(wider_type(lhs.dtype, rhs.dtype), std::move(dims));
}

}  // namespace

ShapeResult infer_dot(const Instruction& instruction) {
  if (ShapeError error = check_arrays(instruction); failed(error)) return error;
  return dot_of(instruction, operand_shape(instruction, 0), operand_shape(instruction, 1));
}

// The ragged dimension of the left operand decides the form: a free one, where the right operand has a group
// dimension; a contracted one, where the result gets one; or a batch one, an ordinary dot.
ShapeResult infer_ragged_dot(const Instruction& instruction) {
  if (ShapeError error = check_arrays(instruction); failed(error)) return error;
  const Attributes& attributes = instruction.attributes;
  const Shape& lhs = operand_shape(instruction, 0);
  const Shape& rhs = operand_shape(instruction, 1);
  const Shape& group_sizes = operand_shape(instruction, 2);
  const std::vector<int64_t>& ragged = *attributes.lhs_ragged_dims;
  const std::vector<int64_t>& group = list_or_empty(attributes.rhs_group_dims);
  if (ragged.size() != 1) return ShapeError{"lhs_ragged_dims=" + text(ragged) + " must name one dimension", ""};
  if (ShapeError error = check_dimensions("lhs_ragged_dims", ragged, lhs); failed(error)) return error;
  if (ShapeError error = check_dimensions("rhs_group_dims", group, rhs); failed(error)) return error;
  if (ShapeError error = check_lists(attributes, lhs, rhs); failed(error)) return error;
  if (!is_integer(group_sizes.dtype) || group_sizes.rank() < 1) {
    return ShapeError{"the group sizes are " + text(group_sizes) + ", must be an array of integers", ""};
  }
  const int64_t groups = group_sizes.dims.back();

  const bool is_batch = contains(list_or_empty(attributes.lhs_batch_dims), ragged[0]);
  const bool is_contracting = contains(list_or_empty(attributes.lhs_contracting_dims), ragged[0]);
  if (is_batch || is_contracting) {
    if (!group.empty()) {
      return ShapeError{"rhs_group_dims=" + text(group) + " must be empty for a ragged batch or contracting dimension",
                        ""};
    }
    ShapeResult result = dot_of(instruction, lhs, rhs);
    Shape* shape = std::get_if<Shape>(&result);
    if (shape != nullptr && is_contracting) shape->dims.insert(shape->dims.begin(), groups);
    return result;
  }

  if (group.size() != 1) return ShapeError{"rhs_group_dims=" + text(group) + " must name one dimension", ""};
  const std::vector<int64_t> rhs_others =
      joined(list_or_empty(attributes.rhs_batch_dims), list_or_empty(attributes.rhs_contracting_dims));
  if (contains(rhs_others, group[0])) {
    return ShapeError{"rhs_group_dims: dimension " + std::to_string(group[0]) + " is a batch or contracting dimension",
                      ""};
  }
  if (rhs.dims[at(group[0])] != groups) {
    return ShapeError{
        "the right operand " + text(rhs) + " has another number of groups than the sizes " + text(group_sizes), ""};
  }
  // The group dimension is chosen by the ragged row, so it is not in the result.
  if (ShapeError error = check_pairs("batch_dims", list_or_empty(attributes.lhs_batch_dims),
                                     list_or_empty(attributes.rhs_batch_dims), lhs, rhs);
      failed(error)) {
    return error;
  }
  if (ShapeError error = check_pairs("contracting_dims", list_or_empty(attributes.lhs_contracting_dims),
                                     list_or_empty(attributes.rhs_contracting_dims), lhs, rhs);
      failed(error)) {
    return error;
  }
  std::vector<int64_t> dims;
  for (const int64_t dimension : list_or_empty(attributes.lhs_batch_dims)) dims.push_back(lhs.dims[at(dimension)]);
  dims = joined(dims, remaining_dims(lhs, joined(list_or_empty(attributes.lhs_batch_dims),
                                                 list_or_empty(attributes.lhs_contracting_dims))));
  dims = joined(dims, remaining_dims(rhs, joined(rhs_others, group)));
  return Shape::array(wider_type(lhs.dtype, rhs.dtype), std::move(dims));
}

// Operands are lhs, its scale, rhs, its scale; a scale is a scalar, or holds one number for each block of elements.
ShapeResult infer_scaled_dot(const Instruction& instruction) {
  if (ShapeError error = check_arrays(instruction); failed(error)) return error;
  for (const size_t side : {size_t{0}, size_t{2}}) {
    const Shape& operand = operand_shape(instruction, side);
    const Shape& scale = operand_shape(instruction, side + 1);
    bool fits =
        is_float(operand.dtype) && is_float(scale.dtype) && (scale.is_scalar() || scale.rank() == operand.rank());
    for (size_t d = 0; fits && d < scale.dims.size(); ++d) {
      fits = scale.dims[d] > 0 && operand.dims[d] % scale.dims[d] == 0;
    }
    if (!fits) {
      return ShapeError{"the scales " + text(scale) + " do not fit " + text(operand),
                        "each dimension of the scales divides that of the operand"};
    }
  }
  return dot_of(instruction, operand_shape(instruction, 0), operand_shape(instruction, 2));
}

}  // namespace sinter
