#include "driver/tensors/sized_arrays.h"

#include <algorithm>
#include <cstring>

#include "driver/tensors/tensors.h"
#include "passes/analysis/shapes/extents.h"

namespace sinter {
namespace {

// Copies the elements that both arrays have, at the places of each.
void copy_common(const Literal& from, Literal* to) {
  const std::vector<int64_t>&dims = from.shape().dims, &to_dims = to->shape().dims;
  const auto width = static_cast<size_t>(dtype_bytes(from.shape().dtype));
  if (from.element_count() == 0 || to->element_count() == 0) return;
  std::vector<int64_t> common;
  for (size_t d = 0; d < dims.size(); ++d) common.push_back(std::min(dims[d], to_dims[d]));
  const std::vector<int64_t> strides_from = strides(dims), strides_to = strides(to_dims);
  const std::byte* source = from.bytes().data();
  std::byte* target = to->mutable_bytes().data();
  std::vector<int64_t> index(dims.size(), 0);
  for (;;) {
    int64_t at = 0, at_to = 0;
    for (size_t d = 0; d < dims.size(); ++d) {
      at += index[d] * strides_from[d];
      at_to += index[d] * strides_to[d];
    }
    std::memcpy(target + static_cast<size_t>(at_to) * width, source + static_cast<size_t>(at) * width, width);
    size_t d = dims.size();
    while (d > 0 && ++index[d - 1] == common[d - 1]) index[--d] = 0;
    if (d == 0) return;
  }
}

// Of a module with extents every parameter is an array.
bool is_size(const std::vector<Extent>& extents, size_t input) {
  return std::any_of(extents.begin(), extents.end(), [&](const Extent& extent) {
    return extent.size->parameter_number == static_cast<int64_t>(input);
  });
}

bool is_cut(const Shape& shape, const Shape& whole) { return shape.dims != whole.dims; }

std::vector<Extent::Dimension> dimensions_of(const Extent& extent, bool inputs, size_t array) {
  std::vector<Extent::Dimension> own;
  for (const Extent::Dimension& dimension : inputs ? extent.inputs : extent.results) {
    if (dimension.array == static_cast<int64_t>(array)) own.push_back(dimension);
  }
  return own;
}

// The sizes that inputs of the module say.
std::vector<int64_t> sizes_in(const std::vector<Extent>& extents, const std::vector<Literal>& inputs) {
  std::vector<int64_t> sizes;
  for (const Extent& extent : extents)
    sizes.push_back(inputs[static_cast<size_t>(extent.size->parameter_number)].integer_at(0));
  return sizes;
}

Shape cut_shape(Shape shape, const std::vector<Extent>& extents, const std::vector<int64_t>& sizes, bool inputs,
                size_t array) {
  for (size_t e = 0; e < extents.size(); ++e) {
    for (const Extent::Dimension& dimension : dimensions_of(extents[e], inputs, array))
      shape.dims[static_cast<size_t>(dimension.dimension)] = sizes[e] * dimension.times;
  }
  return shape;
}

Literal cut(const Literal& array, const Shape& shape) {
  if (!is_cut(shape, array.shape())) return array;
  Literal result(shape);
  copy_common(array, &result);
  return result;
}

}  // namespace

std::vector<Shape> given_shapes(const Module& module) {
  const std::vector<Extent> extents = extents_of(module);
  const std::vector<Shape> all = input_shapes(module);
  std::vector<Shape> shapes;
  for (size_t i = 0; i < all.size(); ++i) {
    if (!is_size(extents, i))
      shapes.push_back(bounded_shape(all[i], extents, /*is_input=*/true, static_cast<int64_t>(i)));
  }
  return shapes;
}

size_t given_place(const Module& module, size_t input) {
  size_t place = input;
  for (const Extent& extent : extents_of(module)) place -= extent.size->parameter_number < static_cast<int64_t>(input);
  return place;
}

std::optional<std::vector<Literal>> with_sizes(const Module& module, const std::vector<Literal>& given,
                                               std::string& error) {
  const std::vector<Extent> extents = extents_of(module);
  const std::vector<Shape> shapes = input_shapes(module);
  std::vector<Literal> inputs;
  for (size_t i = 0, next = 0; i < shapes.size(); ++i)
    inputs.push_back(is_size(extents, i) ? integer_literal(DType::kS32, 0) : given[next++]);
  for (const Extent& extent : extents) {
    std::optional<int64_t> size;
    std::string first;
    for (const Extent::Dimension& dimension : extent.inputs) {
      const int64_t length =
          inputs[static_cast<size_t>(dimension.array)].shape().dims[static_cast<size_t>(dimension.dimension)];
      const std::string text = "dimension " + std::to_string(dimension.dimension) + " of input " +
                               std::to_string(dimension.array) + " has " + std::to_string(length) + " elements";
      if (!size) {
        size = length / dimension.times;
        first = text;
      }
      if (length == *size * dimension.times) continue;
      error = first + ", and " + text + ": both are the size of one run";
      return std::nullopt;
    }
    inputs[static_cast<size_t>(extent.size->parameter_number)] =
        integer_literal(DType::kS32, size.value_or(extent.bound));
  }
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!is_cut(inputs[i].shape(), shapes[i])) {
      inputs[i] = inputs[i].with_shape(shapes[i]);
      continue;
    }
    Literal whole(shapes[i]);
    const std::span<std::byte> bytes = whole.mutable_bytes();
    // Of a type that is part of a byte, no other bits are there.
    std::memset(bytes.data(), dtype_bits(shapes[i].dtype) < 8 ? 1 : 0xff, bytes.size());
    copy_common(inputs[i], &whole);
    inputs[i] = std::move(whole);
  }
  return inputs;
}

std::vector<Literal> without_sizes(const Module& module, const std::vector<Literal>& inputs) {
  const std::vector<Extent> extents = extents_of(module);
  if (extents.empty()) return inputs;
  const std::vector<int64_t> sizes = sizes_in(extents, inputs);
  std::vector<Literal> given;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!is_size(extents, i)) given.push_back(cut(inputs[i], cut_shape(inputs[i].shape(), extents, sizes, true, i)));
  }
  return given;
}

std::vector<Literal> results_there(const Module& module, const std::vector<Literal>& inputs,
                                   const std::vector<Literal>& results) {
  const std::vector<Shape> shapes = result_shapes(module, inputs);
  std::vector<Literal> there;
  for (size_t i = 0; i < results.size(); ++i) there.push_back(cut(results[i], shapes[i]));
  return there;
}

std::vector<Shape> result_shapes(const Module& module, const std::vector<Literal>& inputs) {
  const std::vector<Extent> extents = extents_of(module);
  const std::vector<int64_t> sizes = sizes_in(extents, inputs);
  std::vector<Shape> shapes = output_shapes(module);
  for (size_t i = 0; i < shapes.size(); ++i) shapes[i] = cut_shape(shapes[i], extents, sizes, false, i);
  return shapes;
}

}  // namespace sinter
