// What a kernel makes a value of.
#pragma once

#include <optional>
#include <set>
#include <vector>

#include "ir/module/module.h"

namespace sinter {

// Whether such an operation is among those, of `computed`, that the value is made of; nullopt where none of the nearest
// is and there are more. A template, so that the operations are a switch of the caller's.
template <class IsSuch>
std::optional<bool> made_of(const Instruction& value, const std::set<const Instruction*>& computed, IsSuch is_such) {
  constexpr size_t kNearest = 64;
  std::vector<const Instruction*> queue = {&value};
  for (size_t next = 0; next < queue.size() && next < kNearest; ++next) {
    if (computed.count(queue[next]) == 0) continue;
    if (is_such(queue[next]->opcode)) return true;
    queue.insert(queue.end(), queue[next]->operands().begin(), queue[next]->operands().end());
  }
  return queue.size() < kNearest ? std::optional(false) : std::nullopt;
}

}  // namespace sinter
