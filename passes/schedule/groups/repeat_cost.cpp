#include "passes/schedule/groups/repeat_cost.h"

#include <algorithm>
#include <vector>

#include "ir/module/device_functions.h"
#include "ir/ops/op_table.h"
#include "ir/support/ceil_div.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "passes/analysis/shapes/masked_operand.h"
#include "passes/analysis/shapes/skinny_product.h"
#include "passes/analysis/values/thresholds.h"
#include "passes/schedule/groups/group_values.h"
#include "passes/stages/products/contract.h"

namespace sinter {

bool is_sum(const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::kReduce:
    case Opcode::kReduceWindow:
    case Opcode::kDot:
    case Opcode::kConvolution:
    case Opcode::kScatter:
    case Opcode::kSelectAndScatter:
      return true;
    default:
      return false;
  }
}

bool windows_overlap(const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::kConvolution:
      return !is_contraction(instruction);
    case Opcode::kReduceWindow:
    case Opcode::kSelectAndScatter:
      break;
    default:
      return false;
  }
  if (!instruction.attributes->window || is_scan(instruction)) return false;
  const std::vector<WindowDimension>& window = *instruction.attributes->window;
  return instruction.opcode == Opcode::kSelectAndScatter ||
         std::any_of(window.begin(), window.end(), [](const WindowDimension& d) { return d.size > d.stride; });
}

int element_cost(const Instruction& value) {
  constexpr size_t kNearest = 64;
  const int64_t elements = value.shape.is_array() ? value.shape.element_count() : 0;
  std::vector<const Instruction*> queue = {&value};
  int cost = 0;
  for (size_t next = 0; next < queue.size() && queue.size() < kNearest; ++next) {
    if (family_of(*queue[next]) != Family::kElementwise) continue;
    cost += op_def(queue[next]->opcode).cost;
    for (const Instruction* operand : queue[next]->operands()) {
      const bool same = operand->shape.is_array() && operand->shape.element_count() == elements;
      if (same && std::find(queue.begin(), queue.end(), operand) == queue.end()) queue.push_back(operand);
    }
  }
  return cost;
}

int64_t arrays_below(const Instruction& value) {
  constexpr size_t kNearest = 64;
  const int64_t elements = value.shape.is_array() ? value.shape.element_count() : 0;
  std::vector<const Instruction*> queue = {&value};
  int64_t arrays = 0;
  for (size_t next = 0; next < queue.size() && queue.size() < kNearest; ++next) {
    const Family family = family_of(*queue[next]);
    if (next > 0 && family != Family::kElementwise && family != Family::kIndexMap) {
      ++arrays;
      continue;
    }
    for (const Instruction* operand : array_operands(*queue[next])) {
      const bool large = operand->shape.is_array() && operand->shape.element_count() >= elements;
      if (large && std::find(queue.begin(), queue.end(), operand) == queue.end()) queue.push_back(operand);
    }
  }
  return arrays;
}

int64_t elements_loaded(const Instruction& contraction, const Instruction* operand) {
  for (const size_t side : {0, 1}) {
    if (operand != contraction.operand(side)) continue;
    if (is_masked_by_batch(contraction, side) || (side == 0 && is_masked_in_segments(contraction)))
      return operand->shape.element_count();
  }
  // Of a skinny product the matrix is read once, and a block of so many outputs reads the vectors. On tensor cores
  // tiles are larger, but what is computed on the way goes through registers, while nothing is multiplied.
  constexpr int64_t kGemvTile = 32;
  const ContractExtents extents = *contract_extents(contraction);
  const int64_t outer = operand == contraction.operand(0) ? extents.n : extents.m;
  const int64_t tile = is_skinny_product(contraction) ? kGemvTile : kContractTile;
  return operand->shape.element_count() * ceil_div(outer, tile);
}

bool is_looked_up(const Instruction& value, const Instruction& reader) {
  constexpr int64_t kShort = 1024, kMany = int64_t{1} << 21;
  constexpr size_t kNearest = 16;
  if (reader.opcode != Opcode::kWhile || !value.shape.is_array() || value.shape.element_count() > kShort) return false;
  const auto is_many = [&](const Shape& shape) { return shape.is_array() && shape.element_count() >= kMany; };
  if (!reader.shape.is_tuple() || std::ranges::none_of(reader.shape.elements, is_many)) return false;
  std::vector<const Instruction*> queue = {&value};
  for (size_t next = 0; next < queue.size() && queue.size() < kNearest; ++next) {
    const Instruction& one = *queue[next];
    if (one.opcode == Opcode::kGather && one.operand(1)->opcode == Opcode::kConstant) return true;
    if (family_of(one) == Family::kElementwise) queue.insert(queue.end(), one.operands().begin(), one.operands().end());
  }
  return false;
}

bool is_cheap(const Instruction& instruction) {
  return op_def(instruction.opcode).cost <= kRecomputeCost && !is_sum(instruction) &&
         instruction.opcode != Opcode::kConditional && instruction.opcode != Opcode::kWhile &&
         instruction.opcode != Opcode::kCall;
}

bool needs_more_than(int64_t most, const Instruction& value) {
  std::vector<const Instruction*> queue = {&value}, operands;
  llvm::SmallPtrSet<const Instruction*, 32> seen = {&value};
  for (size_t next = 0; next < queue.size(); ++next) {
    operands.clear();
    add_array_operands(*queue[next], &operands);
    for (const Instruction* operand : operands) {
      if (is_plumbing(*operand) || !is_cheap(*operand) || !seen.insert(operand).second) continue;
      queue.push_back(operand);
      if (std::ssize(queue) > most) return true;
    }
  }
  return false;
}

bool reads_often(const Instruction& instruction) {
  return instruction.opcode != Opcode::kReduce && instruction.opcode != Opcode::kScatter && is_sum(instruction);
}

}  // namespace sinter
