// What kernels store: whole arrays, and updates in place, whose elements go where the update belongs. Threads of a
// scatter in place have an element of the updates each (updates_in_place.h says which scatters), and bring it there:
//
//   const int start = indices[lane];
//   state[lane * 512 + start] = updates[lane];
//
// What a combiner makes of an update and the element that is there replaces it. Where an update's window lies outside,
// its thread stores what is there anyway, at the nearest place inside, which is its own lane's too.
#include <algorithm>

#include "passes/analysis/values/arrays.h"
#include "passes/analysis/values/replaced_array.h"
#include "passes/demand/demand.h"
#include "passes/demand/index_ranges.h"
#include "passes/demand/operations/scatter_lists.h"

namespace sinter {

const Shape& stored_shape(const DemandContext& context, const Instruction& output) {
  return context.updates_in_place.count(&output) > 0 ? update_of(output).shape : output.shape;
}

bool DemandGraph::store(const Instruction* output, const std::vector<IndexExpr>& index, std::vector<int> owners) {
  const bool in_place = context_->updates_in_place.count(output) > 0;
  if (!in_place) {
    const NodeId node = demand(output, index);
    if (failure) return false;
    stores.push_back({output, linearize(index, output->shape.dims), node, std::move(owners)});
    return true;
  }
  for (const Instruction* reader : output->users()) {
    // It would read elements that other threads are still to write.
    if (context_->computed.count(reader) > 0) fail(output, "update-in-place");
  }
  // The array that it updates is in memory, as an update before it left it.
  if (context_->computed.count(array_value(output->operand(0))) > 0) fail(output, "update-in-place");
  if (output->opcode == Opcode::kScatter) {
    const Key key{0, 0, output, kUpdated, keep(index)};
    const NodeId node = failure ? kNoNode : resolve(key);
    if (failure || !drain()) return false;
    missing_.clear();
    stores.push_back({output, linearize(scatter_place(key)->index, output->shape.dims), node, std::move(owners)});
    return true;
  }
  const NodeId node = demand(output->operand(1), index);
  std::vector<IndexExpr> place = index;
  for (size_t d = 0; !failure && d < place.size(); ++d) {
    const Instruction* start = output->operand(2 + d);
    const int64_t limit = output->shape.dims[d] - output->operand(1)->shape.dims[d];
    if (limit == 0) continue;
    if (!start->shape.is_scalar()) fail(output, "unsupported-op");
    if (demand(start, {}) == kNoNode) break;
    missing_.clear();
    place[d] = place[d] + *start_index({0, 0, output, 0, no_index_}, start, limit);
  }
  if (failure) return false;
  stores.push_back({output, linearize(place, output->shape.dims), node, std::move(owners)});
  return true;
}

std::optional<DemandGraph::UpdatePlace> DemandGraph::scatter_place(const Key& key) {
  const Instruction& scatter = *key.instruction;
  const Attributes& attributes = scatter.attributes;
  const Shape& indices = scatter.operand(1)->shape;
  const Shape& updates = scatter.operand(2)->shape;
  const auto [window_dims, inserted, batching, indices_batching, start_map, vector_dim] =
      scatter_lists(attributes, indices);

  std::vector<IndexExpr> batch, window;
  std::vector<int64_t> sizes;  // of the window
  for (int64_t d = 0; d < updates.rank(); ++d) {
    const bool in_window = contains(window_dims, d);
    (in_window ? window : batch).push_back(key.index[d]);
    if (in_window) sizes.push_back(updates.dims[d]);
  }
  UpdatePlace result;
  result.index.resize(scatter.shape.dims.size());
  std::vector<int64_t> limits(result.index.size());  // of where windows begin
  size_t next_window = 0;
  for (int64_t d = 0; d < scatter.shape.rank(); ++d) {
    const bool one = contains(inserted, d) || contains(batching, d);
    limits[d] = scatter.shape.dims[d] - (one ? 1 : sizes[next_window]);
    if (!one) result.index[d] = window[next_window++];
  }
  for (size_t k = 0; k < batching.size(); ++k) {
    const int64_t position = indices_batching[k];
    result.index[batching[k]] = batch[position > vector_dim ? position - 1 : position];
  }
  for (size_t k = 0; k < start_map.size(); ++k) {
    std::vector<IndexExpr> place;
    size_t next = 0;
    for (int64_t d = 0; d < indices.rank(); ++d)
      place.push_back(d == vector_dim ? IndexExpr(static_cast<int64_t>(k)) : batch[next++]);
    const NodeId node = operand(key, 1, std::move(place));
    if (node == kNoNode) continue;
    const int64_t limit = limits[start_map[k]];
    const IndexExpr start = window_start(key, node, limit, /*may_be_wide=*/true);
    if (!inside(start.range(), {0, limit})) result.tests.push_back({start, 0, limit + 1});
    result.index[start_map[k]] = result.index[start_map[k]] + limited(key, node, {0, limit}, nodes[node].dtype);
  }
  if (!missing_.empty()) return std::nullopt;
  return result;
}

NodeId DemandGraph::build_updated(const Key& key) {
  const Instruction* scatter = key.instruction;
  const std::optional<UpdatePlace> place = scatter_place(key);
  if (!place) return kNoNode;
  const Computation& combiner = **scatter->attributes->to_apply;
  const std::vector<DemandTest>& tests = place->tests;
  const int inner = tests.empty() ? key.guard : guards(key, static_cast<int>(tests.size()) - 1).first;
  const NodeId update = want(key.frame, inner, scatter->operand(2), key.index);
  const bool overwrites = combiner.root() == combiner.parameters()[1];
  if (!missing_.empty()) return kNoNode;
  if (overwrites && tests.empty()) return update;
  // Read where it is needed: by a combiner always, else where a test fails.
  const auto there = [&](int guard) { return want(key.frame, guard, scatter->operand(0), place->index); };
  NodeId result = update;
  if (!overwrites) {
    const NodeId before = there(key.guard);
    if (!missing_.empty()) return kNoNode;
    result = want(combiner_frame(key, combiner, {before}, {update}), inner, combiner.root(), no_index_);
  }
  std::vector<NodeId> otherwise;
  for (size_t i = 0; i < tests.size(); ++i) otherwise.push_back(there(guards(key, static_cast<int>(i)).second));
  if (!missing_.empty()) return kNoNode;
  for (size_t i = tests.size(); i-- > 0;) {
    DemandNode node;
    node.kind = DemandNode::Kind::kChoose;
    node.instruction = scatter;
    node.dtype = scatter->shape.dtype;
    node.operands = {result, otherwise[i]};
    node.expr = tests[i].expr;
    node.low = tests[i].low;
    node.high = tests[i].high;
    const auto arms = guards(key, static_cast<int>(i));
    node.guard = i == 0 ? key.guard : guards(key, static_cast<int>(i) - 1).first;
    node.arm_scope[0] = arms.first;
    node.arm_scope[1] = arms.second;
    result = add(std::move(node));
  }
  return result;
}

}  // namespace sinter
