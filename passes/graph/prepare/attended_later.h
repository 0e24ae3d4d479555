// What `attend` will make one instruction of, if it is not left out: products and reductions that passes before it
// leave whole.
#pragma once

#include <algorithm>
#include <set>

#include "passes/graph/base/graph_pass.h"
#include "passes/stages/attend/find_attentions.h"

namespace sinter {

inline std::set<const Instruction*> attended_later(const Module& module, const GraphPassOptions& options) {
  const auto& without = options.without;
  if (std::find(without.begin(), without.end(), "attend") != without.end()) return {};
  return parts_of_attentions(module);
}

}  // namespace sinter
