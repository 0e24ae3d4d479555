#include "passes/lower/host/interface_sizes.h"

#include <map>

namespace sinter {
namespace {

// By the parameter: the input.
std::map<int64_t, size_t> inputs_of(const Program& program) {
  std::map<int64_t, size_t> inputs;
  for (const Buffer& buffer : program.plan.buffers) {
    const bool is_input = buffer.kind == Buffer::Kind::kInput || buffer.kind == Buffer::Kind::kDonated;
    if (is_input && buffer.value != nullptr && buffer.value->opcode == Opcode::kParameter)
      inputs.emplace(buffer.value->parameter_number, static_cast<size_t>(buffer.index));
  }
  return inputs;
}

const Module* module_of(const Program& program) {
  for (const Buffer& buffer : program.plan.buffers) {
    if (buffer.kind == Buffer::Kind::kInput && buffer.value != nullptr) return buffer.value->parent()->parent();
  }
  return nullptr;
}

}  // namespace

std::vector<InterfaceSize> interface_sizes(const Program& program) {
  std::vector<InterfaceSize> sizes;
  const Module* module = module_of(program);
  if (module == nullptr) return sizes;
  const std::map<int64_t, size_t> inputs = inputs_of(program);
  for (const Extent& extent : extents_of(*module)) {
    InterfaceSize size = {.input = inputs.at(extent.size->parameter_number), .bound = extent.bound};
    for (Extent::Dimension dimension : extent.inputs) {
      // Weights are as large as their bounds in every run.
      const auto input = inputs.find(dimension.array);
      if (input == inputs.end()) continue;
      dimension.array = static_cast<int64_t>(input->second);
      size.inputs.push_back(dimension);
    }
    size.outputs = extent.results;
    sizes.push_back(std::move(size));
  }
  return sizes;
}

Shape interface_shape(const std::vector<InterfaceSize>& sizes, bool is_input, size_t position, Shape shape) {
  for (const InterfaceSize& size : sizes) {
    for (const Extent::Dimension& dimension : is_input ? size.inputs : size.outputs) {
      if (dimension.array != static_cast<int64_t>(position)) continue;
      shape.dynamic.resize(shape.dims.size());
      shape.dynamic[static_cast<size_t>(dimension.dimension)] = true;
    }
  }
  return shape;
}

std::string size_scalar(size_t input) { return "input " + std::to_string(input); }

}  // namespace sinter
