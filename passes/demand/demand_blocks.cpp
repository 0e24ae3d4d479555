// What the threads of a block do together in a demand graph: reductions over them, and reading, in a loop, what others
// of them carry.
#include <algorithm>
#include <set>
#include <utility>

#include "passes/analysis/shapes/cumulative_window.h"
#include "passes/analysis/values/hardware.h"
#include "passes/demand/choices.h"
#include "passes/demand/demand.h"

namespace sinter {

void DemandGraph::set_threads(std::vector<int> coordinates, size_t of_block) {
  parallel_coordinates_ = std::move(coordinates);
  block_coordinates_.assign(parallel_coordinates_.end() - static_cast<std::ptrdiff_t>(of_block),
                            parallel_coordinates_.end());
}

IndexExpr DemandGraph::row_major(const std::vector<int>& ids) const {
  IndexExpr number = 0;
  for (const int id : ids) number = number * coordinates[id].extent + coordinate(id);
  return number;
}

int64_t DemandGraph::block_elements() const {
  int64_t elements = 1;
  for (const int id : block_coordinates_) elements *= coordinates[id].extent;
  return elements;
}

bool DemandGraph::fills_warps() const { return block_elements() % kWarp == 0; }

bool DemandGraph::block_comes_to(int frame) const {
  for (; frame != 0; frame = frames_[frame].parent) {
    const int loop = frames_[frame].loop;
    if (loop < 0 || loops[loop].guard != 0 || loops[loop].lane != nullptr) return false;
  }
  return true;
}

std::optional<std::vector<IndexExpr>> DemandGraph::index_in_block(const Key& key, const Shape& result,
                                                                  const std::vector<int64_t>& extents) const {
  // Steps of reductions, of all that the index counts, in each of which a block may reduce; of more the threads read
  // each other's values.
  constexpr int64_t kFewInTurn = 4;
  if (block_coordinates_.empty() || !block_comes_to(key.frame)) return std::nullopt;
  const auto is_of_block = [&](int id) {
    return std::find(block_coordinates_.begin(), block_coordinates_.end(), id) != block_coordinates_.end();
  };
  // Whether all threads make all steps of a reduction: it stands behind no test, and none of its steps does.
  const auto block_makes_steps = [&](int scope) {
    return std::ranges::any_of(reduce_of_, [&](const auto& known) {
      const auto& [of, number] = known;
      const DemandReduce& reduce = reduces[number];
      return reduce.scope == scope && of.guard == 0 && block_comes_to(of.frame) && reduce.guard == 0 &&
             reduce.tests.empty() && reduce.taps.empty() && reduce.match.empty() && !reduce.chooses;
    });
  };
  std::set<int> counted;
  int64_t steps = 1;
  for (size_t d = 0; d < key.index.size(); ++d) {
    const IndexRange range = key.index[d].range();
    if (range.low < 0 || range.high >= result.dims[d]) return std::nullopt;
    bool same = true;  // for all threads of the block
    key.index[d].visit_leaves([&](const IndexExpr::Atom& atom) {
      same &= atom.kind == IndexExpr::AtomKind::kCoordinate && !is_of_block(atom.id);
      if (!same || scopes[coordinates[atom.id].scope].kind != DemandScope::Kind::kReduce) return;
      if (counted.insert(atom.id).second) steps *= std::min(coordinates[atom.id].extent, kFewInTurn + 1);
      same = steps <= kFewInTurn && block_makes_steps(coordinates[atom.id].scope);
    });
    if (!same) return std::nullopt;
  }
  int64_t elements = 1;
  for (const int64_t extent : extents) elements *= extent;
  if (elements != block_elements()) return std::nullopt;
  return delinearize(row_major(block_coordinates_), extents);
}

std::optional<IndexExpr> DemandGraph::thread_that_has(const Key& key) {
  const Instruction& value = *key.instruction;
  const bool in_body = key.frame != 0 && frames_[key.frame].loop >= 0 && key.result == 0 && value.shape.is_array();
  if (block_coordinates_.empty() || !in_body || !block_comes_to(key.frame)) return std::nullopt;
  const std::optional<IndexExpr> thread = thread_of_block(value.shape, key.index);
  if (!thread || *own_index(value.shape) == key.index.exprs()) return std::nullopt;
  const bool reads_row = std::ranges::none_of(block_coordinates_, [&](int id) { return thread->reads_coordinate(id); });
  const auto [known, fresh] = is_dear_.try_emplace({&value, reads_row}, false);
  const Instruction& loop = *loops[frames_[key.frame].loop].instruction;
  if (fresh) known->second = is_dear_for_another_thread(value, loop, block_elements(), reads_row);
  return known->second ? thread : std::nullopt;
}

NodeId DemandGraph::shared_carry(NodeId carried, IndexExpr thread, int guard) {
  DemandNode node = nodes[carried];
  loops[node.loop].slots[node.slot].shared = true;
  node.kind = DemandNode::Kind::kShared;
  node.expr = std::move(thread);
  node.guard = guard;
  return add(std::move(node));
}

NodeId DemandGraph::exchanged_node(const Key& key, IndexExpr thread) {
  const NodeId own = want(key.frame, 0, key.instruction, *own_index(key.instruction->shape));
  if (own == kNoNode) return kNoNode;
  if (nodes[own].kind == DemandNode::Kind::kCarry) return shared_carry(own, std::move(thread), key.guard);
  DemandNode node;
  node.instruction = key.instruction;
  node.dtype = key.instruction->shape.dtype;
  const auto [exchanged, fresh] = exchanged_.try_emplace(own, kNoNode);
  if (fresh) {
    node.kind = DemandNode::Kind::kExchanged;
    node.operands = {own};
    exchanged->second = add(node);
  }
  node.kind = DemandNode::Kind::kOfThread;
  node.operands = {exchanged->second};
  node.expr = std::move(thread);
  node.guard = key.guard;
  return add(std::move(node));
}

bool DemandGraph::is_scan_of_block(const Key& key) {
  const Instruction& window = *key.instruction;
  const std::optional<CumulativeWindow> scan = cumulative_window(window);
  if (!scan || scan->reverse || !is_by_one_operation(window)) return false;
  const int64_t extent = window.shape.dims[scan->dimension];
  std::vector<IndexExpr> row = key.index.exprs();
  const IndexExpr own = std::exchange(row[scan->dimension], IndexExpr(0));
  Key of_row = key;
  of_row.index = keep(std::move(row));
  const std::optional<std::vector<IndexExpr>> thread = index_in_block(of_row, window.shape, {extent});
  return thread && (*thread)[0] == own;
}

NodeId DemandGraph::block_reduce_node(const Key& key, std::vector<NodeId> operands) {
  DemandNode node;
  node.kind = DemandNode::Kind::kBlockReduce;
  node.instruction = key.instruction;
  node.dtype = key.instruction->shape.dtype;
  node.operands = std::move(operands);
  return add(std::move(node));
}

std::optional<std::vector<IndexExpr>> DemandGraph::own_index(const Shape& shape) const {
  std::optional<ElementSpread> own = spread(*this, shape.dims, parallel_coordinates_);
  if (!own || own->indices.size() != 1 || !own->owners.empty()) return std::nullopt;
  return std::move(own->indices[0]);
}

std::optional<IndexExpr> DemandGraph::thread_of_block(const Shape& shape, const std::vector<IndexExpr>& index) const {
  const size_t before = parallel_coordinates_.size() - block_coordinates_.size();
  IndexExpr thread = 0;
  size_t next = 0;
  for (size_t d = 0; d < index.size(); ++d) {
    if (shape.dims[d] == 1) continue;
    if (next == parallel_coordinates_.size()) return std::nullopt;
    const int id = parallel_coordinates_[next++];
    if (coordinates[id].extent != shape.dims[d]) return std::nullopt;
    if (next <= before) {
      if (!(index[d] == coordinate(id))) return std::nullopt;
    } else {
      thread = thread * shape.dims[d] + index[d];
    }
  }
  if (next != parallel_coordinates_.size() || block_coordinates_.empty()) return std::nullopt;
  return thread;
}

}  // namespace sinter
