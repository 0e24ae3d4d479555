// Products of products as one instruction: a fusion that a pass has made and one kernel computes. Attention is two
// matrix products with a softmax between them (passes/graph/finish/attend.cpp), a chain any product, or reduction of
// rows, of what is made of other products element by element (passes/graph/finish/chain.cpp).
#pragma once

#include <string_view>

#include "ir/module/module.h"

namespace sinter {

// The frontend attribute of such a fusion, which is its stage's word.
inline constexpr const char* kStageAttribute = "sinter_stage";
inline constexpr const char* kAttend = "attend";
inline constexpr const char* kChain = "chain";

// Whether a pass has made it for this stage.
inline bool is_made_for(const Instruction& instruction, std::string_view word) {
  if (instruction.opcode != Opcode::kFusion) return false;
  const auto& attributes = instruction.annotations->frontend_attributes;
  const auto stage = attributes.find(kStageAttribute);
  return stage != attributes.end() && stage->second == word;
}

inline bool is_attention(const Instruction& instruction) { return is_made_for(instruction, kAttend); }
// A division that may be made as a multiplication: by a sum of a softmax, which is at least 1 and no more than there
// are elements, where what is made of it is rounded to fewer bits.
inline constexpr const char* kBySumAttribute = "sinter_by_sum";
inline bool divides_by_sum(const Instruction& instruction) {
  return instruction.annotations->frontend_attributes.count(kBySumAttribute) > 0;
}

inline bool is_chain(const Instruction& instruction) { return is_made_for(instruction, kChain); }

}  // namespace sinter
