// Integer arithmetic whose result may not fit its type: HLO's wraps, C++'s is undefined. mark_wrapping notes it.
#pragma once

#include "ir/module/module.h"

namespace sinter {

inline constexpr const char* kWrappingAttribute = "sinter_wraps";

// Of an instruction that is marked.
inline bool may_wrap(const Instruction& instruction) {
  return instruction.annotations->frontend_attributes.contains(kWrappingAttribute);
}

}  // namespace sinter
