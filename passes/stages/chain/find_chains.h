// Products of a program of which nothing has to be in memory, and the chains that take them where that is predicted to
// be faster than kernels of their own, or memory would not do: what `chain` makes instructions of
// (passes/graph/finish/chain.cpp), and what passes before it leave as it is.
#pragma once

#include <set>
#include <vector>

#include "passes/stages/chain/chain.h"

namespace sinter {

struct FoundChain {
  Chain chain;
  std::set<const Instruction*> instructions;  // what its kernel computes
  std::set<const Instruction*> by_sums;       // divisions by the sum of a softmax
};
struct ChainRules {
  bool pinned = false;         // of whatever size, and whatever is predicted
  bool by_warpgroups = false;  // the compiler will ask for these (asked_forms.h)
};
// In an order in which each follows those whose results it reads.
std::vector<FoundChain> find_chains(const Computation& computation, const ChainRules& rules);

// What chains of the module compute.
std::set<const Instruction*> parts_of_chains(const Module& module, const ChainRules& rules);

}  // namespace sinter
