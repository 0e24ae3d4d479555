// mask_updates: lanes of a counted loop's step whose update a mask takes back do not make it.
//
//   %s = f32[64,1000] scatter(%x, %place, %u), input_batching_dims={0}     (place s32[64,1], a carry x)
//   %y = f32[64,1000] select(broadcast(%done), %x, %s)
//                                                         =>
//   %nowhere = s32[64,1] select(broadcast(%done), 1000, %place)
//   %y = f32[64,1000] scatter(%x, %nowhere, %u), input_batching_dims={0}
//
// An update out of range is none. What jax.vmap makes of `lax.cond`, and of steps that stop for some lanes, is one
// update of the state then, which may be in place. Lanes of loops that data end are known by their mask (lane_loop.h).
#include <algorithm>

#include "passes/analysis/loops/while_analysis.h"
#include "passes/graph/base/graph_builder.h"
#include "passes/graph/base/passes.h"
#include "passes/graph/base/rewrite.h"
#include "passes/graph/scatters/update_places.h"

namespace sinter {
namespace {

using Value = GraphBuilder::Value;

bool is_carry(const Instruction& value) {
  return value.opcode == Opcode::kGetTupleElement && value.operand(0)->opcode == Opcode::kParameter;
}

bool mask_update(Instruction& chosen) {
  const bool keeps = chosen.operand(2)->opcode == Opcode::kScatter;  // where the mask holds
  Instruction& scatter = *chosen.operand(keeps ? 2 : 1);
  if (scatter.opcode != Opcode::kScatter || scatter.operands().size() != 3 || scatter.users().size() != 1) return false;
  if (scatter.operand(0) != chosen.operand(keeps ? 1 : 2) || !is_carry(*scatter.operand(0))) return false;
  const Instruction& mask = *chosen.operand(0);
  const std::optional<UpdatePlaces> places = update_places(scatter);
  if (mask.opcode != Opcode::kBroadcast || !places || places->named.empty()) return false;

  // The mask by dimensions of the indices.
  Instruction* indices = scatter.operand(1);
  const int64_t rank = indices->shape.rank(), vector_dim = scatter.attributes->index_vector_dim.value();
  Dims where;
  for (const int64_t dimension : *mask.attributes->dimensions) {
    const std::optional<size_t> number = position_in(places->of_updates, dimension);
    if (!number) return false;
    const auto along = static_cast<int64_t>(*number);
    where.push_back(along + (along >= vector_dim ? 1 : 0));
  }
  if (where.empty() || !std::ranges::is_sorted(where)) return false;
  GraphBuilder build(chosen);
  std::vector<Value> components;
  const int64_t count = vector_dim < rank ? indices->shape.dims[static_cast<size_t>(vector_dim)] : 1;
  for (int64_t k = 0; k < count; ++k) {
    Value component = count == 1 ? indices : build.slice(indices, vector_dim, k, k + 1);
    if (k == places->component[0]) {
      const Dims dims = component->shape.dims;
      const int64_t beyond = scatter.shape.dims[static_cast<size_t>(places->named[0])];
      const Value own = build.broadcast(mask.operand(0), dims, where);
      const Value nowhere = build.integer(component->shape.dtype, beyond, dims);
      component = keeps ? build.select({own, nowhere, component}) : build.select({own, component, nowhere});
    }
    components.push_back(component);
  }
  const Value masked = count == 1 ? components[0] : build.concatenate(components, vector_dim);
  Rare<Attributes> attributes = scatter.attributes;
  attributes.edit().indices_are_sorted = false;
  Instruction *array = scatter.operand(0), *updates = scatter.operand(2);
  become(chosen, Opcode::kScatter, {array, masked, updates}, std::move(attributes));
  return true;
}

}  // namespace

bool mask_updates(Module& module, const GraphPassOptions&) {
  bool changed = false;
  for (Instruction* loop : instructions_of(module, Opcode::kWhile)) {
    if (!analyze_while(*loop).trip_count) continue;
    std::vector<Instruction*> chosen;
    for (Instruction& instruction : (*loop->attributes->body)->instructions()) {
      if (instruction.opcode == Opcode::kSelect) chosen.push_back(&instruction);
    }
    for (Instruction* select : chosen) changed |= mask_update(*select);
  }
  if (changed) remove_dead_code(module);
  return changed;
}

}  // namespace sinter
