#include "ir/module/one_device.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <vector>

namespace sinter {
namespace {

// The numbers of a text such as {{0,1},{1,0}}.
std::vector<int64_t> numbers_in(std::string_view text) {
  std::vector<int64_t> numbers;
  bool in_number = false;
  for (const char c : text) {
    const bool is_digit = std::isdigit(static_cast<unsigned char>(c)) != 0;
    if (is_digit && !in_number) numbers.push_back(0);
    if (is_digit && numbers.back() < INT32_MAX) numbers.back() = numbers.back() * 10 + (c - '0');
    in_number = is_digit;
  }
  return numbers;
}

bool operands_have_shape(const Instruction& instruction, const Shape& result) {
  if (!result.is_tuple()) return instruction.operands().size() == 1 && result.same_type(instruction.operand(0)->shape);
  if (result.elements.size() != instruction.operands().size()) return false;
  for (size_t i = 0; i < result.elements.size(); ++i) {
    if (!result.elements[i].same_type(instruction.operand(i)->shape)) return false;
  }
  return true;
}

}  // namespace

bool is_placement(std::string_view target) {
  constexpr std::array<std::string_view, 4> kTargets = {"Sharding", "SPMDFullToShardShape", "SPMDShardToFullShape",
                                                        "annotate_device_placement"};
  return target.starts_with("xla.sdy.") || std::find(kTargets.begin(), kTargets.end(), target) != kTargets.end();
}

bool operands_are_results(const Instruction& instruction) {
  return operands_have_shape(instruction, instruction.shape);
}

bool sends_to_itself(const Instruction& instruction) {
  const std::vector<int64_t> pairs = numbers_in(instruction.attributes->source_target_pairs.value_or(""));
  for (size_t i = 0; i + 1 < pairs.size(); i += 2) {
    if (pairs[i] == 0 && pairs[i + 1] == 0) return true;
  }
  return false;
}

std::string why_not_on_one_device(const Instruction& instruction) {
  const auto among_several = [&](bool is_same) -> std::string {
    if (is_same) return "";
    return std::string(opcode_name(instruction.opcode)) + " among several devices cannot be evaluated";
  };
  switch (instruction.opcode) {
    case Opcode::kAllReduce:
    case Opcode::kAllReduceStart:
    case Opcode::kAllGather:
    case Opcode::kAllToAll:
    case Opcode::kReduceScatter:
    case Opcode::kCollectiveBroadcast:
    case Opcode::kCollectivePermute:
      return among_several(operands_are_results(instruction));
    case Opcode::kAllGatherStart:
    case Opcode::kCollectivePermuteStart: {
      const Shape& shape = instruction.shape;
      const bool has_result = shape.is_tuple() && shape.elements.size() >= 2;
      return among_several(operands_have_shape(instruction, has_result ? shape.elements[1] : shape));
    }
    case Opcode::kRaggedAllToAll: {
      for (size_t i = 2; i < 6; ++i) {
        if (instruction.operand(i)->shape.element_count() != 1) return among_several(false);
      }
      const Shape& input = instruction.operand(0)->shape;
      std::vector<int64_t> dims = input.dims;
      if (!dims.empty() && input.rank() == instruction.shape.rank()) dims[0] = instruction.shape.dims[0];
      return among_several(!dims.empty() && dims == instruction.shape.dims && input.dtype == instruction.shape.dtype);
    }
    default:
      return "";
  }
}

}  // namespace sinter
