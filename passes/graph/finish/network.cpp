// network: matrix products of the same rows, one after the other, become a fusion, which has a stage of its own
// (passes/stages/network): what stands between them never goes to memory.
//
//   %hidden = f32[65536,64] maximum(add(dot(%x, %w_0), %b_0s), %zeros)
//   %out = f32[65536,16] dot(%hidden, %w_1), ...
//                                                     =>
//   %out = f32[65536,16] fusion(%x, %w_0, %b_0, %w_1), calls=%network, frontend_attributes={sinter_stage="network"}
//
// Between layers, and after the last one, rows may be reduced (a softmax, a norm). With it goes what makes the first
// layer's operand, element by element. Layers whose activations something else reads too (a gradient) are left as they
// are, and so are those that are predicted to take no longer in kernels of their own.
#include <algorithm>
#include <set>

#include "passes/analysis/functions/network.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"
#include "passes/graph/finish/outline.h"
#include "passes/stages/network/network_form.h"

namespace sinter {
namespace {

// Microseconds that it saves, if these are worth it: times are predicted.
double saved_us(const NetworkDemand& demand) {
  constexpr double kLeastUs = 1, kLeastShare = 0.05;
  const std::optional<NetworkForm> form = network_form(demand);
  if (!form) return 0;
  const double apart = layers_us(demand), saved = apart - network_us(demand, *form);
  return saved >= std::max(kLeastUs, kLeastShare * apart) ? saved : 0;
}

// Of those that end with this product, or what is made of it, the one that saves most.
std::optional<Network> network_of(const Instruction& last) {
  std::optional<Network> best;
  double most_saved = 0;
  for (size_t most = kMostLayers; most >= 2;) {
    std::optional<Network> network = find_network(last, most);
    if (!network) break;
    most = network->products.size() - 1;
    const std::optional<NetworkDemand> demand = demand_network(*network, *last.parent());
    const double saved = demand ? saved_us(*demand) : 0;
    if (saved <= most_saved) continue;
    most_saved = saved;
    best = std::move(network);
  }
  return best;
}

// What it computes; empty: it is left as it is.
std::set<const Instruction*> fuse_network(Instruction& last) {
  std::optional<Network> network = network_of(last);
  if (!network) return {};
  const std::optional<std::vector<Instruction*>> operands = operands_of(*last.parent(), network->instructions);
  if (!operands) return {};
  last.replace_all_uses_with(outline({&last}, network->instructions, *operands, kNetwork, kNetwork).fusion);
  return std::move(network->instructions);
}

}  // namespace

bool network(Module& module, const GraphPassOptions&) {
  const std::set<const Computation*> of_stages = computations_of_stages(module);
  // From the last product on: those before it may be its layers.
  std::vector<Instruction*> products = instructions_of(module, Opcode::kDot);
  std::reverse(products.begin(), products.end());
  std::set<const Instruction*> taken;
  for (Instruction* product : products) {
    if (of_stages.count(product->parent()) > 0 || taken.count(product) > 0) continue;
    for (Instruction* end : ends_of_network(*product)) {
      std::set<const Instruction*> network = fuse_network(*end);
      if (network.empty()) continue;
      taken.merge(std::move(network));
      break;
    }
  }
  if (taken.empty()) return false;
  module.sort_computations();
  remove_dead_code(module);
  return true;
}

}  // namespace sinter
