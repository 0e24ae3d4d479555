// run_sizes.h: arrays of which a run has a part, as files have them, of just that part, and as a
// program with bounded dimensions takes them, with room for the bound (the header's table of
// sizes).

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace run_sizes {

using Dims = std::vector<int64_t>;

// Elements that both arrays have are copied, each to its place.
inline void copy_common(const std::byte* from, const Dims& from_dims, std::byte* to,
                        const Dims& to_dims, size_t width) {
  Dims index(from_dims.size(), 0);
  for (size_t d = 0; d < index.size(); ++d) {
    if (from_dims[d] == 0 || to_dims[d] == 0) return;
  }
  for (;;) {
    int64_t at = 0, at_to = 0;
    for (size_t d = 0; d < index.size(); ++d) {
      at = at * from_dims[d] + index[d];
      at_to = at_to * to_dims[d] + index[d];
    }
    std::memcpy(to + static_cast<size_t>(at_to) * width, from + static_cast<size_t>(at) * width,
                width);
    size_t d = index.size();
    while (d > 0 && ++index[d - 1] == std::min(from_dims[d - 1], to_dims[d - 1])) index[--d] = 0;
    if (d == 0) return;
  }
}

// Numbers of a run, by rows of the table of inputs: 0 for arrays, -1 for a size that is not known.
template <class Tensor>
std::vector<int64_t> unknown(const Tensor* inputs) {
  std::vector<int64_t> sizes;
  for (; inputs->name != nullptr; ++inputs)
    sizes.push_back(std::strcmp(inputs->dtype, "size") == 0 ? -1 : 0);
  return sizes;
}

// The sizes that are not known are as large as they may be.
template <class Size>
void fill_in(const Size* table, std::vector<int64_t>* sizes) {
  for (; table->times != 0; ++table) {
    int64_t& size = (*sizes)[static_cast<size_t>(table->size)];
    if (size < 0) size = table->bound;
  }
}

// What an array has in a run of these sizes.
template <class Size, class Tensor>
Dims dims_of(const Size* table, const Tensor& tensor, bool is_output, int row,
             const std::vector<int64_t>& sizes) {
  Dims dims(tensor.dims, tensor.dims + tensor.rank);
  for (; table->times != 0; ++table) {
    if ((table->is_output != 0) == is_output && table->array == row) {
      dims[static_cast<size_t>(table->dimension)] =
          sizes[static_cast<size_t>(table->size)] * table->times;
    }
  }
  return dims;
}

// Learns sizes from the dimensions of an input. False: they are none that a run has.
template <class Size, class Tensor>
bool learn(const Size* table, const Tensor& tensor, int row, const Dims& dims,
           std::vector<int64_t>* sizes) {
  if (dims.size() != static_cast<size_t>(tensor.rank)) return false;
  for (const Size* one = table; one->times != 0; ++one) {
    if (one->is_output != 0 || one->array != row) continue;
    int64_t& size = (*sizes)[static_cast<size_t>(one->size)];
    const int64_t length = dims[static_cast<size_t>(one->dimension)];
    if (size < 0) size = length / one->times;
    if (length != size * one->times || size > one->bound) return false;
  }
  return dims == dims_of(table, tensor, false, row, *sizes);
}

// The bytes of an array with room for its bounds. What a run does not have is no number.
template <class Tensor>
std::vector<std::byte> with_room(const Tensor& tensor, const std::vector<std::byte>& part,
                                 const Dims& dims) {
  const Dims whole(tensor.dims, tensor.dims + tensor.rank);
  if (dims == whole) return part;
  const bool is_bool = std::strcmp(tensor.dtype, "pred") == 0;
  std::vector<std::byte> bytes(static_cast<size_t>(tensor.bytes), std::byte(is_bool ? 1 : 0xff));
  int64_t elements = 1;
  for (const int64_t dim : whole) elements *= dim;
  copy_common(part.data(), dims, bytes.data(), whole,
              static_cast<size_t>(tensor.bytes / std::max<int64_t>(elements, 1)));
  return bytes;
}

// What a run has of an array.
template <class Tensor>
std::vector<std::byte> part_of(const Tensor& tensor, const std::vector<std::byte>& bytes,
                               const Dims& dims) {
  const Dims whole(tensor.dims, tensor.dims + tensor.rank);
  if (dims == whole) return bytes;
  int64_t elements = 1, there = 1;
  for (const int64_t dim : whole) elements *= dim;
  for (const int64_t dim : dims) there *= dim;
  const size_t width = static_cast<size_t>(tensor.bytes / std::max<int64_t>(elements, 1));
  std::vector<std::byte> part(static_cast<size_t>(there) * width);
  copy_common(bytes.data(), whole, part.data(), dims, width);
  return part;
}

}  // namespace run_sizes
