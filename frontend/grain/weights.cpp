// Weights: constants whose elements are tensors of a file, called by the paths of their fields or by their numbers.
#include <algorithm>

#include "frontend/grain/compiler.h"
#include "frontend/grain/in_file.h"

namespace sinter::grain {
namespace {

// The least and the greatest of integers.
std::optional<Interval> interval_of_elements(const Literal& literal) {
  const DType dtype = literal.shape().dtype;
  if (!is_integer(dtype) || dtype == DType::kU64 || literal.element_count() == 0) return std::nullopt;
  Interval all{INT64_MAX, INT64_MIN};
  for (int64_t i = 0; i < literal.element_count(); ++i) {
    const int64_t value = literal.integer_at(i);
    all = {std::min(all.low, value), std::max(all.high, value)};
  }
  return all;
}

}  // namespace

// The types of all weights, before a function is checked.
void Compiler::type_weights(const File& file) {
  const InFile inside(call_, &file, dim_values_);
  for (const WeightsDecl& decl : file.weights) {
    try {
      weights_[&decl].type = type_of(*decl.type);
    } catch (const Abandoned&) {
    }
  }
}

// The constants, in the computation of the entry: loops read them from outside, as they do parameters.
void Compiler::read_weights() {
  for (const auto& file : files_) {
    const InFile inside(call_, file.get(), dim_values_);
    for (const WeightsDecl& decl : file->weights) {
      if (!weights_[&decl].type.known()) continue;
      try {
        read_tensors(decl, weights_[&decl]);
      } catch (const Abandoned&) {
        weights_[&decl] = Value();
      }
    }
  }
}

void Compiler::read_tensors(const WeightsDecl& decl, Value& value) {
  std::vector<NamedShape> wanted;
  for (const Leaf& leaf : leaves(value.type.element)) {
    std::vector<Formula> dims = value.type.dims;
    dims.insert(dims.end(), leaf.dims.begin(), leaf.dims.end());
    wanted.push_back({leaf.path.empty() ? decl.name : leaf.path, Shape::array(leaf.dtype, numbers(dims))});
  }
  std::string error = "files are not read here";
  const std::string path = folder_of(source().name) + decl.path;
  std::optional<std::vector<Literal>> literals;
  if (options_.read_tensors) literals = options_.read_tensors(path, wanted, error);
  if (!literals) {
    fail(decl.path_loc, "E0621", error,
         path.ends_with(".npy")
             ? "a .npy file holds one array; several, by the paths of their fields (\"first.w\"), are in .safetensors"
             : "tensors are called by the paths of the fields (\"first.w\"), or \"0\", \"1\", ... in their order");
  }
  builder_.place.loc = decl.loc;
  for (size_t i = 0; i < literals->size(); ++i) {
    const std::optional<Interval> interval = interval_of_elements((*literals)[i]);
    Instruction* constant = builder_.constant(std::move((*literals)[i]));
    std::string name = decl.name;
    if (wanted[i].name != name) name += "." + wanted[i].name;
    Metadata metadata;
    metadata.op_name = name;
    metadata.source_file = base_name(source().name);
    metadata.source_line = places_.at(source(), decl.loc).line;
    constant->metadata = metadata;
    std::replace(name.begin(), name.end(), '.', '_');
    constant->name = builder_.module().unique_instruction_name(name);
    value.parts.push_back({constant, {}, interval});
  }
}

// Constants that the entry does not use are none of the program's.
void Compiler::drop_unused_weights() {
  for (const auto& [decl, value] : weights_) {
    for (const Part& part : value.parts) {
      Instruction* constant = part.value;
      if (constant->users().empty() && constant != constant->parent()->root()) constant->parent()->remove(constant);
    }
  }
}

}  // namespace sinter::grain
