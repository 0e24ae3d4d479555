// Tensor files: safetensors (safetensors.h) and NumPy's .npy, read and written whole.
//
// A file may be hostile, as there.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runner/safetensors.h"

namespace tensor_file::inline sinter_helpers {

// --- .npy
// -------------------------------------------------------------------------------------------------
//
// "\x93NUMPY", two bytes of version, the length of a header, the header, which is a Python
// dictionary
// {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }, and the data.

namespace detail {

inline constexpr std::string_view kNpyMagic = "\x93NUMPY";
inline constexpr size_t kMaxDimensions = 64;

// What follows `'key':` in the header, without blanks before it; empty if the key is not there.
inline std::string_view npy_field(std::string_view header, std::string_view key) {
  for (const char quote : {'\'', '"'}) {
    const size_t place = header.find(quote + std::string(key) + quote);
    if (place == std::string_view::npos) continue;
    std::string_view rest = header.substr(place + key.size() + 2);
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    if (!rest.starts_with(':')) continue;
    rest.remove_prefix(1);
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    return rest;
  }
  return {};
}

// "(2, 3)", "(5,)" or "()".
inline bool npy_shape(std::string_view text, std::vector<int64_t>& shape) {
  if (!text.starts_with('(')) return false;
  text = text.substr(1, text.find(')') - 1);
  size_t i = 0;
  while (true) {
    while (i < text.size() && text[i] == ' ') ++i;
    if (i == text.size()) return true;
    int64_t value = 0;
    const size_t start = i;
    for (; i < text.size() && text[i] >= '0' && text[i] <= '9'; ++i) {
      if (value > (std::numeric_limits<int64_t>::max() - 9) / 10) return false;
      value = value * 10 + (text[i] - '0');
    }
    if (i == start || shape.size() == kMaxDimensions) return false;
    shape.push_back(value);
    if (i < text.size() && text[i] == 'L') ++i;  // Python 2's long integers
    while (i < text.size() && text[i] == ' ') ++i;
    if (i < text.size() && text[i++] != ',') return false;
  }
}

// Elements whose first index runs fastest, as elements whose last one does.
inline void from_fortran_order(Tensor& tensor, size_t element_bytes) {
  std::vector<std::byte> result(tensor.bytes.size());
  const size_t rank = tensor.shape.size();
  std::vector<int64_t> index(rank, 0);
  for (size_t to = 0; to < result.size(); to += element_bytes) {
    size_t from = 0;
    for (size_t d = rank; d-- > 0;)
      from = from * static_cast<size_t>(tensor.shape[d]) + static_cast<size_t>(index[d]);
    std::memcpy(&result[to], &tensor.bytes[from * element_bytes], element_bytes);
    for (size_t d = rank; d-- > 0;) {
      if (++index[d] < tensor.shape[d]) break;
      index[d] = 0;
    }
  }
  tensor.bytes = std::move(result);
}

}  // namespace detail

inline bool parse_npy(std::string_view content, Tensor& tensor, std::string& error) {
  tensor = {};
  const size_t magic = detail::kNpyMagic.size();
  if (!content.starts_with(detail::kNpyMagic) || content.size() < magic + 4) {
    return error = "not a .npy file", false;
  }
  const int version = static_cast<unsigned char>(content[magic]);
  const size_t length_bytes = version == 1 ? 2 : 4;
  if (version < 1 || version > 3 || content.size() < magic + 2 + length_bytes) {
    return error = "a .npy file of an unknown version", false;
  }
  uint32_t header_bytes = 0;
  std::memcpy(&header_bytes, content.data() + magic + 2, length_bytes);
  content.remove_prefix(magic + 2 + length_bytes);
  if (header_bytes > content.size()) return error = "a .npy file that ends in its header", false;
  const std::string_view header = content.substr(0, header_bytes);
  content.remove_prefix(header_bytes);

  std::string_view descr = detail::npy_field(header, "descr");
  const std::string_view order = detail::npy_field(header, "fortran_order");
  if (descr.empty() || (descr[0] != '\'' && descr[0] != '"'))
    return error = "a .npy file of structures", false;
  descr = descr.substr(1, descr.find(descr[0], 1) - 1);
  const ElementType* type = nullptr;
  for (const ElementType& candidate : kElementTypes) {
    // One byte has no order; '=' is the machine's own.
    if (!candidate.numpy.empty() && descr.size() > 1 &&
        candidate.numpy.substr(1) == descr.substr(1) && (descr[0] != '>' || candidate.bytes == 1)) {
      type = &candidate;
    }
  }
  if (type == nullptr) return error = "a .npy file of elements '" + std::string(descr) + "'", false;
  if (!order.starts_with("True") && !order.starts_with("False"))
    return error = "a .npy file without order", false;
  if (!detail::npy_shape(detail::npy_field(header, "shape"), tensor.shape)) {
    return error = "a .npy file without a shape", false;
  }
  size_t bytes = 0;
  if (!tensor_bytes(tensor.shape, type->bytes, bytes) || bytes != content.size()) {
    return error = "a .npy file whose data is not of its shape's size", false;
  }
  tensor.dtype = type->name;
  const auto* data = reinterpret_cast<const std::byte*>(content.data());
  tensor.bytes.assign(data, data + bytes);
  if (order.starts_with("True")) detail::from_fortran_order(tensor, type->bytes);
  return true;
}

inline bool format_npy(const Tensor& tensor, std::string& content, std::string& error) {
  if (error = detail::check(tensor); !error.empty()) return false;
  const std::string_view numpy = find_element_type(tensor.dtype)->numpy;
  if (numpy.empty())
    return error = tensor.dtype + " has no name in .npy files; use safetensors", false;
  std::string header = "{'descr': '" + std::string(numpy) + "', 'fortran_order': False, 'shape': " +
                       detail::spell(tensor.shape, "(", tensor.shape.size() == 1 ? ",)" : ")") +
                       ", }";
  const size_t before = detail::kNpyMagic.size() + 4;
  header.append(63 - (before + header.size()) % 64, ' ');  // the data begins at a multiple of 64
  header += '\n';
  if (header.size() > 0xffff)
    return error = "a shape of too many dimensions for a .npy file", false;
  const auto length = static_cast<uint16_t>(header.size());
  content = std::string(detail::kNpyMagic) + '\x01' + '\0';
  content.append(reinterpret_cast<const char*>(&length), sizeof length);
  content += header;
  content.append(reinterpret_cast<const char*>(tensor.bytes.data()), tensor.bytes.size());
  return true;
}

// --- by file name
// -------------------------------------------------------------------------------------------------

// A .npy file has one tensor, without a name; any other file is safetensors.
inline bool read_tensors(const std::string& path, std::vector<Tensor>& tensors,
                         std::string& error) {
  std::string content;
  if (!read_file(path, content, error)) return false;
  bool fine;
  if (path.ends_with(".npy")) {
    tensors.assign(1, {});
    fine = parse_npy(content, tensors[0], error);
  } else {
    fine = parse_safetensors(content, tensors, error);
  }
  if (!fine) error = path + ": " + error;
  return fine;
}

inline bool write_tensors(const std::string& path, const std::vector<Tensor>& tensors,
                          std::string& error) {
  std::string content;
  bool fine;
  if (path.ends_with(".npy")) {
    fine = tensors.size() == 1;
    if (!fine) error = "a .npy file holds one tensor, not " + std::to_string(tensors.size());
    fine = fine && format_npy(tensors[0], content, error);
  } else {
    fine = format_safetensors(tensors, content, error);
  }
  if (!fine) error = path + ": " + error;
  return fine && write_file(path, content, error);
}

}  // namespace tensor_file::inline sinter_helpers
