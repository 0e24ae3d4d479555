#include "passes/stages/attend/find_attentions.h"

#include "passes/stages/attend/attend_form.h"

namespace sinter {

namespace {

// Few queries of few keys are a part of a kernel of rows.
constexpr int64_t kLeastRows = 16, kLeastKeys = 64;

struct Candidate {
  FoundAttention found;
  double us = 0;    // of its kernel
  double rows = 0;  // of others that it does without
};

std::optional<Candidate> candidate(const Attention& attention, const Computation& level, std::optional<size_t> computed,
                                   bool rows) {
  std::set<const Instruction*> instructions = parts_of(attention, computed, rows);
  if (instructions.empty() || (rows && instructions == parts_of(attention, computed, false))) return std::nullopt;
  const std::optional<AttentionDemand> demand = demand_attention(attention, level, instructions);
  if (!demand || (demand->rows < kLeastRows && demand->keys < kLeastKeys)) return std::nullopt;
  const std::optional<AttendForm> form = attend_form(*demand);
  if (!form) return std::nullopt;
  const double us = attend_us(*demand, *form);
  if (us >= apart_us(*demand)) return std::nullopt;
  return Candidate{{attention, std::move(instructions)}, us, rows_us(*demand)};
}

}  // namespace

std::optional<FoundAttention> attention_of(const Instruction& results) {
  // Queries may be computed on their way, keys may not, but of rows in memory: which operand these are is seen when
  // they are demanded.
  const std::vector<Attention> attentions = find_attention(results);
  const auto first = [&](bool rows) -> std::optional<Candidate> {
    for (const Attention& attention : attentions) {
      for (const std::optional<size_t> computed : {std::optional<size_t>(0), std::optional<size_t>(1), {}}) {
        std::optional<Candidate> found = candidate(attention, *results.parent(), computed, rows);
        if (found) return found;
      }
    }
    return std::nullopt;
  };
  std::optional<Candidate> stored = first(false), of_rows = first(true);
  if (of_rows && (!stored || of_rows->us < stored->us + of_rows->rows)) return std::move(of_rows->found);
  if (stored) return std::move(stored->found);
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
