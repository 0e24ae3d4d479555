// chain: matrix products, and reductions of rows, of what is made of other products element by element, become fusions,
// which have a stage of their own (passes/stages/chain): what has an element for each pair of a row and a column never
// goes to memory.
//
//   %s = f32[8,1024,1024] dot(%q, %k), ...
//   %t = f32[8,1024,1024] dot(%do, %v), ...
//   %w = f32[8,1024,1024] multiply(exponential(subtract(%s, broadcast(%largest))), %t)
//   %dq = f32[8,1024,64] dot(%w, %k), ...
//                                                     =>
//   %dq = f32[8,1024,64] fusion(%q, %k, %do, %v, %largest), calls=%chain, frontend_attributes={sinter_stage="chain"}
//
// Each result makes the products that it needs again; two products of the same rows are one fusion. All that reads the
// products has to be such a result: else they are in memory anyway.
#include <algorithm>
#include <set>

#include "passes/analysis/functions/attention.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"
#include "passes/graph/finish/outline.h"
#include "passes/graph/parts/attended_later.h"

namespace sinter {
namespace {

Instruction* to_change(Computation& computation, const Instruction* instruction) {
  for (Instruction& own : computation.instructions()) {
    if (&own == instruction) return &own;
  }
  return nullptr;
}

bool fuse_chain(Computation& computation, const FoundChain& found) {
  const std::optional<std::vector<Instruction*>> operands = operands_of(computation, found.instructions);
  if (!operands) return false;
  std::vector<Instruction*> results;
  for (const Instruction* result : found.chain.results) results.push_back(to_change(computation, result));
  const Outlined outlined = outline(results, found.instructions, *operands, "chain", kChain);
  for (const Instruction* division : found.by_sums)
    outlined.copies.at(division)->annotations.edit().frontend_attributes[kBySumAttribute] = "1";
  Instruction* fusion = outlined.fusion;
  if (results.size() == 1) {
    results[0]->replace_all_uses_with(fusion);
    return true;
  }
  for (size_t i = 0; i < results.size(); ++i) {
    Instruction* element = insert_tuple_element(*results.back(), fusion, static_cast<int64_t>(i));
    results[i]->replace_all_uses_with(element);
  }
  computation.sort();
  return true;
}

}  // namespace

bool chain(Module& module, const GraphPassOptions& options) {
  const ChainRules rules = chain_rules(options);
  bool changed = false;
  const std::set<const Computation*> done = computations_of_stages(module);
  std::vector<Computation*> computations;
  for (const auto& computation : module.computations()) computations.push_back(computation.get());
  for (Computation* computation : computations) {
    if (done.count(computation) > 0) continue;
    for (const FoundChain& found : find_chains(*computation, rules)) changed |= fuse_chain(*computation, found);
  }
  if (changed) {
    module.sort_computations();
    remove_dead_code(module);
  }
  return changed;
}

}  // namespace sinter
