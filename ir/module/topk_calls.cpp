#include "ir/module/topk_calls.h"

#include <algorithm>
#include <string_view>

namespace sinter {
namespace {

// The number behind `key`, in JSON or an MLIR dictionary: "reduction_dim":1 or reduction_dim = 1 : i64.
std::optional<int64_t> number(std::string_view config, std::string_view key) {
  const size_t at = config.find(key);
  if (at == std::string_view::npos) return {};
  const size_t digits = config.find_first_not_of("\" :=", at + key.size());
  if (digits == std::string_view::npos || config[digits] < '0' || config[digits] > '9') return {};
  int64_t value = 0;
  for (size_t i = digits; i < config.size() && config[i] >= '0' && config[i] <= '9' && value < INT32_MAX; ++i) {
    value = value * 10 + (config[i] - '0');
  }
  return value;
}

const Computation* comparator(const Instruction& instruction, size_t parameters) {
  const auto& called = instruction.attributes->called_computations;
  if (!called || called->size() != 1 || (*called)[0]->parameters().size() != parameters) return nullptr;
  return (*called)[0]->root()->shape.same_type(Shape::scalar(DType::kPred)) ? (*called)[0] : nullptr;
}

// `result` is `array`, shorter along one dimension.
bool is_beginning(const Shape& array, const Shape& result, int64_t dimension) {
  if (!array.is_array() || !result.is_array() || array.dtype != result.dtype || array.rank() != result.rank())
    return false;
  for (size_t d = 0; d < array.dims.size(); ++d) {
    const bool is_cut = static_cast<int64_t>(d) == dimension;
    if (is_cut ? result.dims[d] > array.dims[d] : result.dims[d] != array.dims[d]) return false;
  }
  return true;
}

bool compares_first_above_second(const Computation& function) {
  const Instruction& root = *function.root();
  return root.opcode == Opcode::kCompare && root.attributes->direction == "GT" &&
         root.operand(0) == function.parameters()[0] && root.operand(1) == function.parameters()[1];
}

bool is_whole_topk(const Instruction& instruction) {
  if (instruction.operands().size() != 1 || instruction.shape.elements.size() != 2) return false;
  const Shape& array = instruction.operand(0)->shape;
  const Shape& values = instruction.shape.elements[0];
  const Computation* function = comparator(instruction, 2);
  return array.is_array() && array.rank() > 0 && is_beginning(array, values, array.rank() - 1) &&
         instruction.shape.elements[1].same_type(Shape::array(DType::kS32, values.dims)) && function != nullptr &&
         compares_first_above_second(*function);
}

}  // namespace

std::optional<TopkCall> topk_call(const Instruction& instruction) {
  if (instruction.opcode != Opcode::kCustomCall || !instruction.shape.is_tuple()) return {};
  const std::string_view target = *instruction.attributes->custom_call_target;
  if (target == "TopK") return is_whole_topk(instruction) ? std::optional(TopkCall{}) : std::nullopt;
  if (target != "ApproxTopK" && target != "PartialReduce") return {};
  const size_t arrays = instruction.shape.elements.size();
  const std::optional<int64_t> dimension = number(instruction.annotations->backend_config, "reduction_dim");
  if (!dimension || arrays == 0 || instruction.operands().size() != 2 * arrays ||
      !comparator(instruction, 2 * arrays)) {
    return {};
  }
  for (size_t i = 0; i < arrays; ++i) {
    const Shape& array = instruction.operand(i)->shape;
    const bool is_one = is_beginning(array, instruction.shape.elements[i], *dimension) && *dimension < array.rank() &&
                        array.dims == instruction.operand(0)->shape.dims;
    if (!is_one || !instruction.operand(arrays + i)->shape.same_type(Shape::scalar(array.dtype))) return {};
  }
  return TopkCall{.is_topk = false, .dimension = *dimension, .arrays = arrays};
}

}  // namespace sinter
