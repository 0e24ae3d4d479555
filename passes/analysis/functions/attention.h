// Attention as one instruction: a fusion of two matrix products with a softmax between them, which a pass has made
// (passes/graph/finish/attend.cpp) and one kernel computes.
#pragma once

#include <string_view>

#include "ir/module/module.h"

namespace sinter {

// The frontend attribute of such a fusion, which is its stage's word.
inline constexpr const char* kStageAttribute = "sinter_stage";
inline constexpr const char* kAttend = "attend";

// Whether a pass has made it for this stage.
inline bool is_made_for(const Instruction& instruction, std::string_view word) {
  if (instruction.opcode != Opcode::kFusion) return false;
  const auto& attributes = instruction.annotations->frontend_attributes;
  const auto stage = attributes.find(kStageAttribute);
  return stage != attributes.end() && stage->second == word;
}

inline bool is_attention(const Instruction& instruction) { return is_made_for(instruction, kAttend); }

}  // namespace sinter
