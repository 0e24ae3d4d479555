// The worklist of the demand graph. What each opcode demands of its operands is in operations/: demand_elements.cpp
// names the files by opcode, loops are in demand_loops.cpp. The scopes of nodes are in demand_scopes.cpp.
#include "passes/demand/demand.h"

#include "ir/ops/op_table.h"
#include "llvm/ADT/SmallVector.h"

namespace sinter {

// Pointers only spread keys over buckets; no output depends on the order of a table.
size_t DemandGraph::KeyHash::operator()(const Key& key) const {
  constexpr uint64_t kOdd[] = {0x9e3779b97f4a7c15u, 0xc2b2ae3d27d4eb4fu, 0xd6e8feb86659fd93u};
  constexpr int kHalf = 32, kQuarter = 16;
  const uint64_t place = (static_cast<uint64_t>(static_cast<uint32_t>(key.frame)) << kHalf) ^
                         (static_cast<uint64_t>(static_cast<uint32_t>(key.guard)) << kQuarter) ^
                         static_cast<uint64_t>(static_cast<uint32_t>(key.result));
  uint64_t hash = reinterpret_cast<uintptr_t>(key.instruction) * kOdd[0] +
                  reinterpret_cast<uintptr_t>(key.index.exprs_) * kOdd[1] + place * kOdd[2];
  hash = (hash ^ (hash >> kHalf)) * kOdd[2];
  return static_cast<size_t>(hash ^ (hash >> kHalf));
}

size_t DemandGraph::IndexHash::operator()(const std::vector<IndexExpr>& index) const {
  size_t hash = index.size();
  for (const IndexExpr& expr : index) hash = hash * 1000003 ^ expr.hash();
  return hash;
}

IndexTuple DemandGraph::keep(std::vector<IndexExpr> index) {
  return IndexTuple(&*kept_indices_->insert(std::move(index)).first);
}

IndexTuple DemandGraph::source_index(const Key& key) {
  // The same in every frame and behind every guard.
  const Key plain{0, 0, key.instruction, 0, key.index};
  const auto known = source_indices_.find(plain);
  if (known != source_indices_.end()) return known->second;
  const IndexTuple source = keep(op_def(key.instruction->opcode).source_index(*key.instruction, key.index));
  source_indices_.try_emplace(plain, source);
  return source;
}

int DemandGraph::add_coordinate(int64_t extent, CoordinateRole role, int scope, std::string name) {
  coordinates.push_back({extent, scope, role, std::move(name)});
  const int id = static_cast<int>(coordinates.size()) - 1;
  scopes[scope].coordinates.push_back(id);
  return id;
}

IndexExpr DemandGraph::coordinate(int id) const {
  if (coordinates[id].extent == 1) return 0;
  return IndexExpr::coordinate(id, {0, coordinates[id].extent - 1});
}

void DemandGraph::set_row_domain(int row_coordinate, const RowExtents& extents, const ShortRows& short_rows) {
  row_coordinate_ = row_coordinate;
  rows_ = extents;
  short_rows_ = short_rows;
  DemandScope scope;
  scope.kind = DemandScope::Kind::kColumns;
  scopes.push_back(scope);
  column_coordinate = add_coordinate(extents.columns, CoordinateRole::kColumn, static_cast<int>(scopes.size()) - 1);
}

NodeId DemandGraph::add(DemandNode node) {
  nodes.push_back(std::move(node));
  return static_cast<NodeId>(nodes.size()) - 1;
}

NodeId DemandGraph::fail(const Instruction* instruction, ReasonCode reason) {
  if (!failure) failure = Failure{instruction, reason};
  return kNoNode;
}

NodeId DemandGraph::want(int frame, int guard, const Instruction* value, IndexTuple index, int result) {
  Key key{frame, guard, value, result, index};
  const auto found = memo_.find(key);
  if (found != memo_.end()) return found->second;
  if (guard != 0) {
    // What is already computed outside the guard is visible inside it.
    key.guard = 0;
    const auto outside = memo_.find(key);
    if (outside != memo_.end()) return outside->second;
    key.guard = guard;
  }
  missing_.push_back(key);
  return kNoNode;
}

NodeId DemandGraph::want(int frame, int guard, const Instruction* value, std::vector<IndexExpr> index, int result) {
  return want(frame, guard, value, keep(std::move(index)), result);
}

NodeId DemandGraph::operand(const Key& key, size_t position, IndexTuple index) {
  return want(key.frame, key.guard, key.instruction->operand(position), index);
}

NodeId DemandGraph::operand(const Key& key, size_t position, std::vector<IndexExpr> index) {
  return want(key.frame, key.guard, key.instruction->operand(position), keep(std::move(index)));
}

NodeId DemandGraph::resolve(const Key& key) {
  struct Open {
    Key key;
    // Known not to be built: it has just been found missing, or waits for its operands, and none of them needs it.
    bool absent = false;
  };
  llvm::SmallVector<Open, 16> stack = {{key}};
  while (!stack.empty()) {
    const Key current = stack.back().key;
    if (!stack.back().absent && memo_.contains(current)) {
      stack.pop_back();
      continue;
    }
    missing_.clear();
    const NodeId node = build(current);
    if (failure) return kNoNode;
    if (missing_.empty()) {
      memo_[current] = node;
      stack.pop_back();
      if (static_cast<int64_t>(nodes.size()) > node_limit) return fail(current.instruction, "statement-limit");
    } else {
      stack.back().absent = true;
      // In reverse, so that the first operand is built first and gets the lower number.
      for (size_t i = missing_.size(); i-- > 0;) stack.push_back({missing_[i]});
      stack.back().absent = true;
    }
  }
  return memo_.at(key);
}

NodeId DemandGraph::demand(const Instruction* value, const std::vector<IndexExpr>& index) {
  memo_.reserve(static_cast<unsigned>(context_->computed.size()));
  nodes.reserve(context_->computed.size());  // they are copied where the vector grows
  const NodeId node = resolve({0, 0, value, 0, keep(index)});
  if (failure || !drain()) return kNoNode;
  return node;
}

NodeId DemandGraph::add_parameter(const Instruction* parameter) {
  DemandNode node;
  node.kind = DemandNode::Kind::kParameter;
  node.instruction = parameter;
  node.dtype = parameter->shape.dtype;
  return frames_[0].bindings[parameter] = add(std::move(node));
}

}  // namespace sinter
