#include "driver/weights/weight_inputs.h"

#include <llvm/Support/JSON.h>

#include <map>
#include <utility>

#include "driver/tensors/tensors.h"
#include "ir/module/weights.h"
#include "passes/names/value_names.h"
#include "runtime/tensor_file.h"

namespace sinter {
namespace {

// In the metadata of a file of sinter.jax.export: {"params.w": 0}, the number of the input that each tensor is.
constexpr const char* kInputsKey = "sinter_inputs";

std::map<std::string, int64_t> input_numbers(const tensor_file::Metadata& metadata) {
  std::map<std::string, int64_t> numbers;
  const auto said = metadata.find(kInputsKey);
  if (said == metadata.end()) return numbers;
  llvm::Expected<llvm::json::Value> parsed = llvm::json::parse(said->second);
  if (!parsed) {
    llvm::consumeError(parsed.takeError());
    return numbers;
  }
  const llvm::json::Object* fields = parsed->getAsObject();
  if (fields == nullptr) return numbers;
  for (const auto& [name, number] : *fields) numbers[name.str()] = number.getAsInteger().value_or(-1);
  return numbers;
}

size_t count_arrays(const Shape& shape) {
  size_t count = shape.is_array() ? 1 : 0;
  for (const Shape& element : shape.elements) count += count_arrays(element);
  return count;
}

}  // namespace

std::optional<std::vector<WeightInput>> weight_inputs(const Module& module, const Source& file,
                                                      Diagnostics& diagnostics, bool of_several) {
  // What is wrong with the file has no place in the text.
  const auto refuse = [&](const std::string& what) {
    diagnostics.error({}, "E0507", "--weights-of " + file.name + ": " + what,
                      "a file of sinter.jax.export(..., weights=...), or one whose tensors are called as inputs are");
    return std::nullopt;
  };
  std::vector<tensor_file::Tensor> tensors;
  tensor_file::Metadata metadata;
  std::string error;
  if (!tensor_file::parse_safetensors(file.text, tensors, error, &metadata)) return refuse(error);
  std::map<std::string, int64_t> numbers;
  if (!of_several) numbers = input_numbers(metadata);
  const std::vector<Instruction*> parameters = module.entry()->parameters();
  std::map<std::string, int64_t> by_name;
  std::vector<size_t> places = {0};
  for (size_t i = 0; i < parameters.size(); ++i) {
    const std::string& said = parameters[i]->metadata->op_name;
    by_name.emplace(identifier(said.empty() ? parameters[i]->name : said), static_cast<int64_t>(i));
    places.push_back(places.back() + count_arrays(parameters[i]->shape));
  }
  std::map<size_t, WeightInput> inputs;
  for (const tensor_file::Tensor& tensor : tensors) {
    // The library's table of weights has names that end with one.
    if (tensor.name.find('\0') != std::string::npos) return refuse("a tensor's name has a null character in it");
    const auto number = numbers.find(tensor.name);
    const auto named = by_name.find(identifier(tensor.name));
    int64_t position = -1;
    if (number != numbers.end()) {
      position = number->second;
    } else if (named != by_name.end()) {
      position = named->second;
    }
    if (position < 0 && of_several) continue;
    if (position < 0 || position >= std::ssize(parameters))
      return refuse("tensor " + tensor.name + " is no input of the program");
    const auto parameter = static_cast<size_t>(position);
    const Instruction& input = *parameters[parameter];
    Literal value;
    if (inputs.contains(parameter)) return refuse("two tensors are input " + input.name);
    if (!input.shape.is_array() || !to_literal(tensor, input.shape, value))
      return refuse("tensor " + tensor.name + " is not " + to_string(input.shape, false) + ", as the input is");
    inputs[parameter] = {parameter, places[parameter], tensor.name, std::move(value)};
  }
  std::vector<WeightInput> ordered;
  for (auto& [parameter, input] : inputs) ordered.push_back(std::move(input));
  return ordered;
}

std::optional<std::vector<WeightInput>> recorded_weight_inputs(const Module& module, const Source& file,
                                                               Diagnostics& diagnostics) {
  const auto refuse = [&](const std::string& what) {
    diagnostics.error({}, "E0507", file.name + ": " + what,
                      "the weights.safetensors that compile wrote, or one like it");
    return std::nullopt;
  };
  std::vector<tensor_file::Tensor> tensors;
  std::string error;
  if (!tensor_file::parse_safetensors(file.text, tensors, error)) return refuse(error);
  std::map<std::string, const tensor_file::Tensor*> by_name;
  for (const tensor_file::Tensor& tensor : tensors) by_name.emplace(tensor.name, &tensor);
  std::vector<WeightInput> inputs;
  size_t place = 0;
  const std::vector<Instruction*> parameters = module.entry()->parameters();
  for (size_t i = 0; i < parameters.size(); ++i) {
    const std::string name = weight_name(*parameters[i]);
    if (!name.empty()) {
      const auto tensor = by_name.find(name);
      if (tensor == by_name.end()) return refuse("there is no tensor " + name);
      Literal value;
      if (!to_literal(*tensor->second, parameters[i]->shape, value))
        return refuse("tensor " + name + " is not " + to_string(parameters[i]->shape, false) + ", as the weight is");
      inputs.push_back({i, place, name, std::move(value)});
    }
    place += count_arrays(parameters[i]->shape);
  }
  return inputs;
}

}  // namespace sinter
