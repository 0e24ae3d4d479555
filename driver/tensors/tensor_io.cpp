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

struct FileType {
  DType dtype;
  std::string_view name;  // as safetensors spells it
};

// Integers and floats below a byte are stored a byte each; floats that safetensors does not know, as their bits.
constexpr FileType kFileTypes[] = {{DType::kPred, "BOOL"},      {DType::kS8, "I8"},
                                   {DType::kS16, "I16"},        {DType::kS32, "I32"},
                                   {DType::kS64, "I64"},        {DType::kU8, "U8"},
                                   {DType::kU16, "U16"},        {DType::kU32, "U32"},
                                   {DType::kU64, "U64"},        {DType::kF16, "F16"},
                                   {DType::kBF16, "BF16"},      {DType::kF32, "F32"},
                                   {DType::kF64, "F64"},        {DType::kC64, "C64"},
                                   {DType::kC128, "C128"},      {DType::kF8E4M3FN, "F8_E4M3"},
                                   {DType::kF8E5M2, "F8_E5M2"}, {DType::kF8E8M0FNU, "F8_E8M0"},
                                   {DType::kS4, "I8"},          {DType::kS2, "I8"},
                                   {DType::kS1, "I8"},          {DType::kU4, "U8"},
                                   {DType::kU2, "U8"},          {DType::kU1, "U8"},
                                   {DType::kF4E2M1FN, "U8"},    {DType::kF6E2M3FN, "U8"},
                                   {DType::kF6E3M2FN, "U8"},    {DType::kF8E3M4, "U8"},
                                   {DType::kF8E4M3, "U8"},      {DType::kF8E4M3FNUZ, "U8"},
                                   {DType::kF8E5M2FNUZ, "U8"},  {DType::kF8E4M3B11FNUZ, "U8"}};

std::string_view file_type(DType dtype) {
  for (const FileType& type : kFileTypes) {
    if (type.dtype == dtype) return type.name;
  }
  return "";
}

std::string describe(const tensor_file::Tensor& tensor) {
  std::string text = tensor.dtype + "[";
  for (size_t i = 0; i < tensor.shape.size(); ++i) text += (i == 0 ? "" : ",") + std::to_string(tensor.shape[i]);
  return text + "]";
}

// False if the tensor is not of that shape.
bool to_literal(const tensor_file::Tensor& tensor, const Shape& shape, Literal& literal) {
  const std::string_view type = file_type(shape.dtype);
  if (tensor.dtype != type || tensor.shape != shape.dims) return false;
  literal = Literal(shape);
  const std::span<std::byte> bytes = literal.mutable_bytes();
  if (bytes.size() != tensor.bytes.size()) return false;
  std::copy(tensor.bytes.begin(), tensor.bytes.end(), bytes.begin());
  return true;
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
    if ((*literals)[i].shape().same_type(shapes[i])) continue;
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
  for (size_t i = 0; i < arrays.size(); ++i) {
    const Shape& shape = arrays[i].shape();
    const std::string_view type = file_type(shape.dtype);
    if (type.empty()) {
      error = path + ": no type of safetensors is " + std::string(dtype_name(shape.dtype)) + "; use .hlo";
      return false;
    }
    const std::span<const std::byte> bytes = arrays[i].bytes();
    tensors.push_back({std::to_string(i), std::string(type), shape.dims, {bytes.begin(), bytes.end()}});
  }
  std::string content;
  const bool made = npy ? tensor_file::format_npy(tensors[0], content, error)
                        : tensor_file::format_safetensors(tensors, content, error);
  return made && write_file(path, content, error);
}

}  // namespace sinter
