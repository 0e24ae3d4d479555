#include "passes/stages/attend/find_attentions.h"

#include "passes/stages/attend/attend_form.h"

namespace sinter {

namespace {

// Few queries of few keys are a part of a kernel of rows.
constexpr int64_t kLeastRows = 16, kLeastKeys = 64;

bool is_worth_it(const AttentionDemand& demand) {
  if (demand.rows < kLeastRows && demand.keys < kLeastKeys) return false;
  const std::optional<AttendForm> form = attend_form(demand);
  return form && attend_us(demand, *form) < apart_us(demand);
}

}  // namespace

std::optional<FoundAttention> attention_of(const Instruction& results) {
  const std::optional<Attention> attention = find_attention(results);
  if (!attention) return std::nullopt;
  // Queries may be computed on their way, keys may not: which operand these are is seen when they are demanded.
  for (const std::optional<size_t> computed : {std::optional<size_t>(0), std::optional<size_t>(1), {}}) {
    std::set<const Instruction*> instructions = parts_of(*attention, computed);
    if (instructions.empty()) continue;
    const std::optional<AttentionDemand> demand = demand_attention(*attention, *results.parent(), instructions);
    if (demand && is_worth_it(*demand)) return FoundAttention{*attention, std::move(instructions)};
  }
  return std::nullopt;
}

std::set<const Instruction*> parts_of_attentions(const Module& module) {
  std::set<const Instruction*> parts;
  for (const auto& computation : module.computations()) {
    for (const Instruction& instruction : computation->instructions()) {
      if (instruction.opcode != Opcode::kDot) continue;
      if (std::optional<FoundAttention> found = attention_of(instruction)) parts.merge(found->instructions);
    }
  }
  return parts;
}

}  // namespace sinter
