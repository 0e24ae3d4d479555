#include "passes/stages/chain/chain.h"

#include <algorithm>
#include <cmath>

#include "passes/analysis/functions/combiner.h"
#include "passes/analysis/functions/work_of_elements.h"

namespace sinter {

namespace {

constexpr size_t kMostInstructions = 96;  // of one kernel's chain

bool contains(const std::vector<const Instruction*>& values, const Instruction* value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

// Collects what `value` is made of, down to `products` and what is no work of elements; whether it met a product.
bool collect(const Instruction* value, const std::vector<const Instruction*>& products,
             std::set<const Instruction*>* found) {
  bool met = false;
  std::vector<const Instruction*> waiting = {value};
  while (!waiting.empty() && found->size() <= kMostInstructions) {
    const Instruction* next = waiting.back();
    waiting.pop_back();
    if (contains(products, next)) met = true;
    if (contains(products, next) || !is_of_elements(*next) || !found->insert(next).second) continue;
    waiting.insert(waiting.end(), next->operands().begin(), next->operands().end());
  }
  return met;
}

void collect_views(const Instruction* value, std::set<const Instruction*>* found) {
  for (; is_view(*value); value = value->operand(0)) found->insert(value);
}

}  // namespace

bool is_of_elements(const Instruction& value) {
  if (value.opcode == Opcode::kConstant) return is_number(value);
  if (is_source(value) || is_view(value)) return true;
  return is_elementwise(value) && value.shape.is_array() && value.control_predecessors.empty();
}

std::optional<RowReduction> row_reduction(const Instruction& reduce) {
  if (reduce.opcode != Opcode::kReduce || reduce.operands().size() != 2 || reduce.shape.dtype != DType::kF32)
    return std::nullopt;
  const Instruction& start = *reduce.operand(1);
  if (start.opcode != Opcode::kConstant || !start.shape.is_scalar()) return std::nullopt;
  const std::optional<Opcode> combiner = simple_combiner(**reduce.attributes->to_apply);
  const double initial = start.literal.real_at(0);
  if (combiner == Opcode::kAdd && initial == 0) return RowReduction::kSum;
  if (combiner == Opcode::kMaximum && initial == -INFINITY) return RowReduction::kMaximum;
  return std::nullopt;
}

std::optional<size_t> weights_side(const Instruction& result, const std::vector<const Instruction*>& products) {
  std::set<const Instruction*> found;
  if (result.opcode == Opcode::kReduce) {
    return collect(result.operand(0), products, &found) ? std::optional<size_t>(0) : std::nullopt;
  }
  std::optional<size_t> side;
  for (const size_t operand : {0, 1}) {
    found.clear();
    if (!collect(result.operand(operand), products, &found)) continue;
    if (side) return std::nullopt;
    side = operand;
  }
  return side;
}

std::set<const Instruction*> parts_of(const Chain& chain) {
  std::set<const Instruction*> found(chain.products.begin(), chain.products.end());
  for (const Instruction* result : chain.results) {
    const std::optional<size_t> side = weights_side(*result, chain.products);
    if (!side) return {};
    found.insert(result);
    collect(result->operand(*side), chain.products, &found);
    if (result->opcode == Opcode::kReduce) {
      found.insert(result->operand(1));
    } else {
      collect_views(result->operand(1 - *side), &found);
    }
  }
  for (const Instruction* dot : chain.products) {
    for (const Instruction* operand : dot->operands()) collect_views(operand, &found);
  }
  return found.size() > kMostInstructions ? std::set<const Instruction*>() : found;
}

}  // namespace sinter
