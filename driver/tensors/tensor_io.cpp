// Tensors in files: safetensors and .npy by runtime/tensor_file.h, HLO modules of constants by constant_module.h.
#include <algorithm>
#include <filesystem>
#include <map>

#include "driver/system/files.h"
#include "driver/tensors/constant_module.h"
#include "driver/tensors/tensors.h"
#include "runtime/tensor_file.h"

namespace sinter {
namespace {

// Of a dynamic dimension the shape has the bound.
bool fits(const std::vector<int64_t>& dims, const Shape& shape) {
  if (dims.size() != shape.dims.size()) return false;
  for (size_t d = 0; d < dims.size(); ++d) {
    const bool dynamic = d < shape.dynamic.size() && shape.dynamic[d];
    if (dynamic ? dims[d] < 0 || dims[d] > shape.dims[d] : dims[d] != shape.dims[d]) return false;
  }
  return true;
}

std::string describe(const tensor_file::Tensor& tensor) {
  std::string text = tensor.dtype + "[";
  for (size_t i = 0; i < tensor.shape.size(); ++i) text += (i == 0 ? "" : ",") + std::to_string(tensor.shape[i]);
  return text + "]";
}

// Tensors "0", "1", ... of a safetensors file, in that order.
bool in_order(const std::string& path, std::vector<tensor_file::Tensor>& tensors, std::string& error) {
  std::map<std::string, size_t> positions;
  for (size_t i = 0; i < tensors.size(); ++i) positions[tensors[i].name] = i;
  std::vector<tensor_file::Tensor> ordered;
  for (size_t i = 0; i < tensors.size(); ++i) {
    const auto found = positions.find(std::to_string(i));
    if (found == positions.end()) {
      error = path + ": no tensor is called \"" + std::to_string(i) +
              "\"; they are called \"0\", \"1\", ..., in the order of " +
              "the flattened arguments or results, and here \"" + tensors[0].name + "\"" +
              (tensors.size() == 1 ? "" : ", ...");
      return false;
    }
    ordered.push_back(std::move(tensors[found->second]));
  }
  tensors = std::move(ordered);
  return true;
}

bool exists(const std::string& path, std::string& error) {
  std::error_code status;
  const bool there = std::filesystem::exists(path, status);
  if (there && !std::filesystem::is_directory(path, status)) return true;
  error = "cannot read " + path + ": " + (there ? "it is a directory" : "there is no such file");
  return false;
}

bool read_files(const std::vector<std::string>& paths, std::vector<tensor_file::Tensor>& tensors, std::string& error) {
  for (const std::string& path : paths) {
    std::vector<tensor_file::Tensor> read;
    if (!exists(path, error)) return false;
    if (!tensor_file::read_tensors(path, read, error)) return false;
    if (!path.ends_with(".npy") && !in_order(path, read, error)) return false;
    for (tensor_file::Tensor& tensor : read) tensors.push_back(std::move(tensor));
  }
  return true;
}

// "2 tensors, but the program has 1 input".
std::string wrong_count(const std::string& path, size_t count, size_t wanted, const std::string& role) {
  return path + ": " + std::to_string(count) + (count == 1 ? " tensor" : " tensors") + ", but the program has " +
         std::to_string(wanted) + " " + role + (wanted == 1 ? "" : "s");
}
std::string wrong_shape(const std::string& path, size_t i, const std::string& shape, const Shape& wanted,
                        const std::string& role) {
  return path + ": tensor " + std::to_string(i) + " is " + shape + ", but " + role + " " + std::to_string(i) +
         " of the program is " + to_string(wanted, false);
}

std::optional<std::vector<Literal>> read_literals(const std::vector<std::string>& paths,
                                                  const std::vector<Shape>& shapes, const std::string& role,
                                                  std::string& error) {
  std::vector<tensor_file::Tensor> tensors;
  if (!read_files(paths, tensors, error)) return std::nullopt;
  std::vector<Literal> literals(tensors.size());
  if (tensors.size() != shapes.size()) {
    error = wrong_count(paths[0], tensors.size(), shapes.size(), role);
    return std::nullopt;
  }
  for (size_t i = 0; i < tensors.size(); ++i) {
    if (to_literal(tensors[i], shapes[i], literals[i])) continue;
    error = wrong_shape(paths[0], i, describe(tensors[i]), shapes[i], role);
    return std::nullopt;
  }
  return literals;
}

}  // namespace

std::optional<std::vector<Literal>> read_tensors(const std::vector<std::string>& paths,
                                                 const std::vector<Shape>& shapes, const std::string& role,
                                                 std::string& error) {
  if (paths.size() != 1 || !paths[0].ends_with(".hlo")) return read_literals(paths, shapes, role, error);
  const std::optional<std::vector<Literal>> literals = read_constant_module(paths[0], error);
  if (!literals) return std::nullopt;
  if (literals->size() != shapes.size()) {
    error = wrong_count(paths[0], literals->size(), shapes.size(), role);
    return std::nullopt;
  }
  for (size_t i = 0; i < shapes.size(); ++i) {
    const Shape& shape = (*literals)[i].shape();
    if (shape.is_array() && shape.dtype == shapes[i].dtype && fits(shape.dims, shapes[i])) continue;
    error = wrong_shape(paths[0], i, to_string((*literals)[i].shape(), false), shapes[i], role);
    return std::nullopt;
  }
  return literals;
}

std::optional<std::vector<Literal>> named_tensors(const std::string& path, const std::string& content,
                                                  const std::vector<NamedShape>& wanted, std::string& error) {
  std::vector<tensor_file::Tensor> tensors;
  const bool npy = path.ends_with(".npy");
  if (npy ? !tensor_file::parse_npy(content, tensors.emplace_back(), error)
          : !tensor_file::parse_safetensors(content, tensors, error)) {
    error = path + ": " + error;
    return std::nullopt;
  }
  if (npy && wanted.size() != 1) {
    error = path + ": a .npy file holds one tensor, not " + std::to_string(wanted.size());
    return std::nullopt;
  }
  std::map<std::string, const tensor_file::Tensor*> known;
  for (const tensor_file::Tensor& tensor : tensors) known[tensor.name] = &tensor;
  const bool by_number = !npy && !wanted.empty() && !known.contains(wanted[0].name) && known.contains("0");
  std::vector<Literal> literals(wanted.size());
  for (size_t i = 0; i < wanted.size(); ++i) {
    const std::string name = by_number ? std::to_string(i) : wanted[i].name;
    const auto found = npy ? known.begin() : known.find(name);
    if (found == known.end()) {
      error = path + " has no tensor \"" + name + "\", which is " + to_string(wanted[i].shape, false) + "; it has";
      constexpr size_t kShown = 4;
      for (size_t k = 0; k < std::min(tensors.size(), kShown); ++k) error += " \"" + tensors[k].name + "\"";
      if (tensors.size() > kShown) error += " and " + std::to_string(tensors.size() - kShown) + " more";
      return std::nullopt;
    }
    if (to_literal(*found->second, wanted[i].shape, literals[i])) continue;
    error = path + ": " + (npy ? "its tensor" : "tensor \"" + name + "\"") + " is " + describe(*found->second) +
            ", and " + wanted[i].name + " is " + to_string(wanted[i].shape, false);
    return std::nullopt;
  }
  return literals;
}

bool to_literal(const tensor_file::Tensor& tensor, const Shape& shape, Literal& literal) {
  if (tensor.dtype != file_type(shape.dtype) || !fits(tensor.shape, shape)) return false;
  Shape own = shape;
  own.dims = tensor.shape;
  own.dynamic.clear();
  literal = Literal(own);
  const std::span<std::byte> bytes = literal.mutable_bytes();
  if (bytes.size() != tensor.bytes.size()) return false;
  std::copy(tensor.bytes.begin(), tensor.bytes.end(), bytes.begin());
  return true;
}

std::string file_type(DType dtype) { return tensor_file::type_of_hlo(std::string(dtype_name(dtype))); }

tensor_file::Tensor file_tensor(const std::string& name, const Literal& array) {
  const std::span<const std::byte> bytes = array.bytes();
  return {name, file_type(array.shape().dtype), array.shape().dims, {bytes.begin(), bytes.end()}};
}

bool write_tensors(const std::string& path, const std::vector<Literal>& arrays, std::string& error) {
  if (path.ends_with(".hlo")) return write_file(path, print_constant_module(arrays), error);
  const std::string ending = std::filesystem::path(path).extension().string();
  if (!ending.empty() && ending != ".npy" && ending != ".safetensors") {
    error = path + ": tensors are written as .safetensors, .npy or .hlo, not as " + ending;
    return false;
  }
  const bool npy = ending == ".npy";
  if (npy && arrays.size() != 1) {
    error = path + ": a .npy file holds one tensor, not " + std::to_string(arrays.size()) + "; use .safetensors";
    return false;
  }
  std::vector<tensor_file::Tensor> tensors;
  for (size_t i = 0; i < arrays.size(); ++i) tensors.push_back(file_tensor(std::to_string(i), arrays[i]));
  std::string content;
  const bool made = npy ? tensor_file::format_npy(tensors[0], content, error)
                        : tensor_file::format_safetensors(tensors, content, error);
  return made && write_file(path, content, error);
}

}  // namespace sinter
