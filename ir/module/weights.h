// Weights: arrays that a program reads in every run and that its caller gives once, or replaces. They are marked in a
// module by the names of their tensors in a file; no pass looks at their values.
#pragma once

#include <string>

#include "ir/module/module.h"

namespace sinter {

// frontend_attributes={sinter_weight="layer_0.w"}: of a constant that is to be a weight (separate_weights makes a
// parameter of it), and of a parameter of the entry that is one.
inline constexpr const char* kWeightAttribute = "sinter_weight";

// The tensor's name; empty if the instruction is no weight.
inline std::string weight_name(const Instruction& instruction) {
  const auto& attributes = instruction.annotations->frontend_attributes;
  const auto found = attributes.find(kWeightAttribute);
  return found == attributes.end() ? "" : found->second;
}

}  // namespace sinter
