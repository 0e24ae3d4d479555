// What `attend` and `chain` will make one instruction of, if they are not left out: products and reductions that passes
// before them leave whole.
#pragma once

#include <set>

#include "passes/graph/base/graph_pass.h"
#include "passes/stages/attend/find_attentions.h"
#include "passes/stages/chain/find_chains.h"

namespace sinter {

inline ChainRules chain_rules(const GraphPassOptions& options) {
  return {.pinned = is_pinned(options, "chain"), .by_warpgroups = options.warpgroup_chains};
}

inline std::set<const Instruction*> attended_later(const Module& module, const GraphPassOptions& options) {
  std::set<const Instruction*> parts;
  if (!is_left_out(options, "attend")) parts = parts_of_attentions(module);
  if (!is_left_out(options, "chain")) parts.merge(parts_of_chains(module, chain_rules(options)));
  return parts;
}

}  // namespace sinter
