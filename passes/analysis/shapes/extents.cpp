// The marks as text, and back. What a text says of arrays that are not there is no mark.
#include "passes/analysis/shapes/extents.h"

#include <optional>
#include <sstream>

#include "ir/module/weights.h"
#include "passes/analysis/values/tuple_leaves.h"

namespace sinter {
namespace {

std::string text_of(const Extent::Dimension& dimension) {
  const std::string times = dimension.times == 1 ? "" : "*" + std::to_string(dimension.times);
  return std::to_string(dimension.array) + ":" + std::to_string(dimension.dimension) + times;
}

std::optional<Extent> parse_mark(const Instruction& size) {
  const auto& attributes = size.annotations->frontend_attributes;
  const auto mark = attributes.find(kExtentAttribute);
  if (mark == attributes.end() || size.opcode != Opcode::kParameter) return std::nullopt;
  if (!size.shape.is_scalar() || size.shape.dtype != DType::kS32) return std::nullopt;
  Extent extent = {.size = &size};
  std::istringstream text(mark->second);
  int64_t zero = -1;
  char dot = 0, other_dot = 0;
  if (!(text >> zero >> dot >> other_dot >> extent.bound) || zero != 0 || dot != '.' || other_dot != '.')
    return std::nullopt;
  std::vector<Extent::Dimension>* list = nullptr;
  for (std::string word; text >> word;) {
    if (word == "in" || word == "out") {
      list = word == "in" ? &extent.inputs : &extent.results;
      continue;
    }
    Extent::Dimension dimension;
    std::istringstream numbers(word);
    char colon = 0, star = 0;
    if (list == nullptr || !(numbers >> dimension.array >> colon >> dimension.dimension) || colon != ':')
      return std::nullopt;
    if (numbers >> star && (star != '*' || !(numbers >> dimension.times))) return std::nullopt;
    list->push_back(dimension);
  }
  return extent;
}

bool is_there(const Extent& extent, const Extent::Dimension& dimension, const std::vector<Shape>& arrays) {
  if (dimension.array < 0 || dimension.array >= std::ssize(arrays)) return false;
  const Shape& shape = arrays[static_cast<size_t>(dimension.array)];
  if (extent.bound < 1 || extent.bound > INT32_MAX || dimension.times < 1 || dimension.times > INT32_MAX) return false;
  return shape.is_array() && dimension.dimension >= 0 && dimension.dimension < shape.rank() &&
         shape.dims[static_cast<size_t>(dimension.dimension)] == extent.bound * dimension.times;
}

// Inputs are arrays, and sizes stand behind them; weights may stand behind these.
bool has_sizes_behind(const std::vector<Instruction*>& parameters) {
  bool behind = false;
  for (const Instruction* parameter : parameters) {
    if (!parameter->shape.is_array()) return false;
    const bool is_size = is_extent(*parameter);
    if (behind && !is_size && weight_name(*parameter).empty()) return false;
    behind |= is_size;
  }
  return behind;
}

}  // namespace

std::vector<Extent> extents_of(const Module& module) {
  if (!has_sizes_behind(module.entry()->parameters())) return {};
  std::vector<Shape> inputs;
  for (const Instruction* parameter : module.entry()->parameters()) inputs.push_back(parameter->shape);
  const std::vector<Shape> results = leaf_shapes(module.entry()->root()->shape);
  std::vector<Extent> extents;
  for (const Instruction* parameter : module.entry()->parameters()) {
    std::optional<Extent> extent = parse_mark(*parameter);
    if (!extent) continue;
    bool good = true;
    for (const Extent::Dimension& dimension : extent->inputs) good &= is_there(*extent, dimension, inputs);
    for (const Extent::Dimension& dimension : extent->results) good &= is_there(*extent, dimension, results);
    if (good) extents.push_back(std::move(*extent));
  }
  return extents;
}

bool is_extent(const Instruction& parameter) { return parse_mark(parameter).has_value(); }

void mark_extent(Instruction* size, const Extent& extent) {
  std::string text = "0.." + std::to_string(extent.bound);
  const auto add = [&](const char* word, const std::vector<Extent::Dimension>& dimensions) {
    if (!dimensions.empty()) text += std::string(" ") + word;
    for (const Extent::Dimension& dimension : dimensions) text += " " + text_of(dimension);
  };
  add("in", extent.inputs);
  add("out", extent.results);
  size->annotations.edit().frontend_attributes[kExtentAttribute] = text;
}

Shape bounded_shape(Shape shape, const std::vector<Extent>& extents, bool is_input, int64_t array) {
  for (const Extent& extent : extents) {
    for (const Extent::Dimension& dimension : is_input ? extent.inputs : extent.results) {
      if (dimension.array != array) continue;
      shape.dynamic.resize(shape.dims.size());
      shape.dynamic[static_cast<size_t>(dimension.dimension)] = true;
    }
  }
  return shape;
}

}  // namespace sinter
