// The worklist of the demand graph, its loops, and the scopes of its nodes. What each opcode demands of its operands
// is in demand_ops.cpp.
#include "passes/schedule/demand.h"

#include <algorithm>

#include "ir/diagnostics.h"

namespace sinter {

namespace {

// More carried registers than this and a loop is not worth a thread's registers.
constexpr size_t kMaxSlots = 96;

}  // namespace

size_t DemandGraph::KeyHash::operator()(const Key& key) const {
  // The pointer only spreads keys over buckets; no output depends on the order of the table.
  size_t hash = std::hash<const void*>()(key.instruction) ^ (static_cast<size_t>(key.frame) << 1) ^
                (static_cast<size_t>(key.guard) << 17) ^ (static_cast<size_t>(key.result) << 31);
  for (const IndexExpr& expr : key.index) hash = hash * 1000003 ^ expr.hash();
  return hash;
}

int DemandGraph::add_coordinate(int64_t extent, std::string name, int scope) {
  coordinates.push_back({extent, scope, std::move(name)});
  const int id = static_cast<int>(coordinates.size()) - 1;
  scopes[scope].coordinates.push_back(id);
  return id;
}

IndexExpr DemandGraph::coordinate(int id) const {
  if (coordinates[id].extent == 1) return 0;
  return IndexExpr::coordinate(id, {0, coordinates[id].extent - 1});
}

void DemandGraph::set_row_domain(int row_coordinate, int64_t rows, int64_t columns) {
  row_coordinate_ = row_coordinate;
  rows_ = rows;
  columns_ = columns;
  DemandScope scope;
  scope.kind = DemandScope::Kind::kColumns;
  scopes.push_back(scope);
  column_coordinate = add_coordinate(columns, "column", static_cast<int>(scopes.size()) - 1);
}

NodeId DemandGraph::add(DemandNode node) {
  nodes.push_back(std::move(node));
  return static_cast<NodeId>(nodes.size()) - 1;
}

NodeId DemandGraph::fail(const Instruction* instruction, std::string reason) {
  if (!failure) failure = Failure{instruction, std::move(reason)};
  return kNoNode;
}

NodeId DemandGraph::want(int frame, int guard, const Instruction* value, std::vector<IndexExpr> index, int result) {
  Key key{frame, guard, value, result, std::move(index)};
  const auto found = memo_.find(key);
  if (found != memo_.end()) return found->second;
  if (guard != 0) {
    // What is already computed outside the guard is visible inside it.
    key.guard = 0;
    const auto outside = memo_.find(key);
    if (outside != memo_.end()) return outside->second;
    key.guard = guard;
  }
  missing_.push_back(std::move(key));
  return kNoNode;
}

NodeId DemandGraph::operand(const Key& key, size_t position, std::vector<IndexExpr> index) {
  return want(key.frame, key.guard, key.instruction->operand(position), std::move(index));
}

NodeId DemandGraph::resolve(const Key& key) {
  std::vector<Key> stack = {key};
  while (!stack.empty()) {
    const Key current = stack.back();
    if (memo_.count(current) > 0) {
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
      // In reverse, so that the first operand is built first and gets the lower number.
      const std::vector<Key> missing = missing_;
      for (auto it = missing.rbegin(); it != missing.rend(); ++it) stack.push_back(*it);
    }
  }
  return memo_.at(key);
}

NodeId DemandGraph::demand(const Instruction* value, const std::vector<IndexExpr>& index) {
  const NodeId node = resolve({0, 0, value, 0, index});
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

void DemandGraph::add_stack(const Instruction* while_instruction, int carry, const Instruction* output) {
  declared_stacks_.push_back({while_instruction, carry, output});
}

int DemandGraph::open_loop(int frame, int guard, const Instruction* while_instruction) {
  const auto key = std::make_tuple(frame, guard, while_instruction);
  const auto found = loop_of_.find(key);
  if (found != loop_of_.end()) return found->second;

  const int number = static_cast<int>(loops.size());
  loop_of_[key] = number;
  DemandLoop loop;
  loop.instruction = while_instruction;
  loop.info = analyze_while(*while_instruction);
  loop.guard = guard;
  DemandScope scope;
  scope.kind = DemandScope::Kind::kLoop;
  scope.instruction = while_instruction;
  scope.loop = number;
  scopes.push_back(scope);
  loop.scope = static_cast<int>(scopes.size()) - 1;
  if (loop.info.trip_count) loop.counter = add_coordinate(*loop.info.trip_count, "t", loop.scope);
  Frame body;
  body.loop = number;
  body.parent = frame;
  loop.frame = static_cast<int>(frames_.size());
  frames_.push_back(body);
  loop.condition_frame = static_cast<int>(frames_.size());
  frames_.push_back(body);
  for (const DeclaredStack& declared : declared_stacks_) {
    if (declared.loop != while_instruction) continue;
    DemandLoop::Stack stack;
    stack.carry = declared.carry;
    stack.output = declared.output;
    loop.stacks.push_back(stack);
  }
  loops.push_back(std::move(loop));
  pending_slots_.emplace_back(number, -1);
  return number;
}

namespace {

// The instruction that gives tuple element `carry` of a loop's state, seen from its init or its body's root.
const Instruction* state_element(const Instruction* state, int carry) {
  if (state->opcode == Opcode::kTuple) return state->operand(carry);
  return state->shape.is_tuple() ? nullptr : state;
}

}  // namespace

NodeId DemandGraph::build_loop_value(const Key& key, int number, int carry, bool after) {
  const Instruction* instruction = loops[number].instruction;
  const Instruction* init = state_element(instruction->operand(0), carry);
  if (init == nullptr) return fail(instruction, "loop-state-opaque");
  const Carry& kind = loops[number].info.carries[carry];
  const bool counted = loops[number].counter >= 0;

  if (kind.kind == CarryKind::kInvariant) {
    return want(frames_[loops[number].frame].parent, loops[number].guard, init, key.index);
  }
  if (kind.kind == CarryKind::kInduction && counted && key.index.empty()) {
    if (after) return index_node(kind.start + kind.step * *loops[number].info.trip_count, init->shape.dtype, init);
    return index_node(coordinate(loops[number].counter) * kind.step + kind.start, init->shape.dtype, key.instruction);
  }
  for (const DemandLoop::Stack& stack : loops[number].stacks) {
    if (stack.carry == carry) return fail(key.instruction, "stack-is-read");
  }
  for (const IndexExpr& expr : key.index) {
    if (expr.is_constant()) continue;
    const bool coordinate_alone = expr.terms().size() == 1 && expr.constant() == 0 &&
                                  expr.terms()[0].coefficient == 1 &&
                                  expr.terms()[0].atom->kind == IndexExpr::AtomKind::kCoordinate &&
                                  coordinates[expr.terms()[0].atom->id].scope == 0;
    if (!coordinate_alone) return fail(instruction, "loop-crosses-threads");
  }
  int slot = -1;
  DemandLoop& loop = loops[number];
  for (size_t i = 0; i < loop.slots.size(); ++i) {
    if (loop.slots[i].carry == carry && loop.slots[i].index == key.index) slot = static_cast<int>(i);
  }
  if (slot < 0) {
    if (loop.slots.size() == kMaxSlots) return fail(instruction, "loop-state-large");
    slot = static_cast<int>(loop.slots.size());
    DemandLoop::Slot fresh;
    fresh.carry = carry;
    fresh.index = key.index;
    DemandNode node;
    node.kind = DemandNode::Kind::kCarry;
    node.instruction = init;
    node.dtype = init->shape.dtype;
    node.loop = number;
    node.slot = slot;
    fresh.carried = add(std::move(node));
    loop.slots.push_back(std::move(fresh));
    pending_slots_.emplace_back(number, slot);
  }
  if (!after) return loop.slots[slot].carried;
  DemandNode node;
  node.kind = DemandNode::Kind::kLoopResult;
  node.instruction = init;
  node.dtype = init->shape.dtype;
  node.loop = number;
  node.slot = slot;
  return add(std::move(node));
}

bool DemandGraph::drain() {
  while (!pending_slots_.empty()) {
    const auto [number, slot] = pending_slots_.front();
    pending_slots_.erase(pending_slots_.begin());
    const Instruction* instruction = loops[number].instruction;
    if (slot < 0) {
      if (loops[number].counter >= 0) continue;
      const NodeId condition =
          resolve({loops[number].condition_frame, 0, instruction->attributes.condition.value()->root(), 0, {}});
      if (failure) return false;
      loops[number].condition = condition;
      continue;
    }
    const int carry = loops[number].slots[slot].carry;
    const std::vector<IndexExpr> index = loops[number].slots[slot].index;
    const Instruction* init = state_element(instruction->operand(0), carry);
    const Instruction* next = state_element(instruction->attributes.body.value()->root(), carry);
    if (next == nullptr) {
      fail(instruction, "loop-state-opaque");
      return false;
    }
    const NodeId init_node = resolve({frames_[loops[number].frame].parent, loops[number].guard, init, 0, index});
    if (failure) return false;
    loops[number].slots[slot].init = init_node;
    const NodeId next_node = resolve({loops[number].frame, 0, next, 0, index});
    if (failure) return false;
    loops[number].slots[slot].next = next_node;
  }
  return true;
}

bool DemandGraph::demand_stack_stores(const std::vector<int>& parallel_coordinates) {
  for (size_t number = 0; number < loops.size(); ++number) {
    for (size_t s = 0; s < loops[number].stacks.size(); ++s) {
      const int carry = loops[number].stacks[s].carry;
      const Instruction* update = state_element(loops[number].instruction->attributes.body.value()->root(), carry);
      const Instruction* piece = update->operand(1);
      const std::optional<ElementSpread> elements = spread(*this, piece->shape.dims, parallel_coordinates);
      if (!elements) {
        fail(update, "stack-row-large");
        return false;
      }
      loops[number].stacks[s].owners = elements->owners;
      std::vector<IndexExpr> start;
      for (size_t d = 0; d < piece->shape.dims.size(); ++d) {
        const NodeId node = resolve({loops[number].frame, 0, update->operand(2 + d), 0, {}});
        if (failure) return false;
        start.push_back(index_of(node));
        const int64_t size = update->shape.dims[d];
        const IndexRange range = start.back().range();
        const bool whole = piece->shape.dims[d] == size && start.back() == IndexExpr(0);
        const bool counted = piece->shape.dims[d] == 1 && loops[number].counter >= 0 && range == IndexRange{0, size - 1} &&
                             coordinates[loops[number].counter].extent == size &&
                             std::abs(start.back().coefficient_of_coordinate(loops[number].counter)) == 1;
        if (!whole && !counted) {
          fail(update, "stack-partial");
          return false;
        }
      }
      for (const std::vector<IndexExpr>& index : elements->indices) {
        const NodeId node = resolve({loops[number].frame, 0, piece, 0, index});
        if (failure || !drain()) return false;
        std::vector<IndexExpr> place;
        for (size_t d = 0; d < index.size(); ++d) place.push_back(start[d] + index[d]);
        loops[number].stacks[s].stores.emplace_back(linearize(place, update->shape.dims), node);
      }
    }
  }
  return true;
}

bool DemandGraph::finish(const std::vector<int>& parallel_coordinates) {
  // A loop whose only demanded results are stacks was not met through demand().
  for (const DeclaredStack& declared : declared_stacks_) open_loop(0, 0, declared.loop);
  if (!drain() || !demand_stack_stores(parallel_coordinates)) return false;
  set_scopes();
  return true;
}

namespace {

// A set of scopes.
using ScopeSet = std::vector<bool>;

void merge(ScopeSet& into, const ScopeSet& from) {
  for (size_t i = 0; i < from.size(); ++i) {
    if (from[i]) into[i] = true;
  }
}

}  // namespace

void DemandGraph::set_scopes() {
  const size_t scope_count = scopes.size();
  std::vector<ScopeSet> needs(nodes.size());  // empty: not known yet
  std::vector<ScopeSet> owner(scope_count);   // what the construct that opens a scope depends on

  const auto parts = [&](NodeId id) {
    std::vector<NodeId> result = nodes[id].operands;
    const DemandNode& node = nodes[id];
    node.expr.visit_leaves([&](const IndexExpr::Atom& atom) {
      if (atom.kind == IndexExpr::AtomKind::kValue) result.push_back(atom.id);
    });
    if (node.kind == DemandNode::Kind::kReduce) {
      const DemandReduce& reduce = reduces[node.reduce];
      for (const auto* list : {&reduce.init, &reduce.values, &reduce.combined}) {
        result.insert(result.end(), list->begin(), list->end());
      }
      for (const auto& term : reduce.terms) result.insert(result.end(), term.begin(), term.end());
    }
    if (node.kind == DemandNode::Kind::kLoopResult) {
      const DemandLoop& loop = loops[node.loop];
      for (const DemandLoop::Slot& slot : loop.slots) {
        result.push_back(slot.init);
        result.push_back(slot.next);
      }
      if (loop.condition != kNoNode) result.push_back(loop.condition);
      for (const DemandLoop::Stack& stack : loop.stacks) {
        for (const auto& [offset, value] : stack.stores) result.push_back(value);
      }
    }
    return result;
  };
  const auto leaves = [&](const IndexExpr& expr, ScopeSet& set) {
    expr.visit_leaves([&](const IndexExpr::Atom& atom) {
      if (atom.kind == IndexExpr::AtomKind::kCoordinate) set[coordinates[atom.id].scope] = true;
    });
  };

  for (NodeId first = 0; first < static_cast<NodeId>(nodes.size()); ++first) {
    std::vector<NodeId> stack = {first};
    while (!stack.empty()) {
      const NodeId id = stack.back();
      if (!needs[id].empty()) {
        stack.pop_back();
        continue;
      }
      const std::vector<NodeId> below = parts(id);
      bool ready = true;
      for (const NodeId part : below) {
        if (needs[part].empty()) {
          stack.push_back(part);
          ready = false;
        }
      }
      if (!ready) continue;
      stack.pop_back();
      const DemandNode& node = nodes[id];
      ScopeSet set(scope_count, false);
      for (const NodeId part : below) merge(set, needs[part]);
      leaves(node.expr, set);
      if (node.guard != 0) set[node.guard] = true;
      switch (node.kind) {
        case DemandNode::Kind::kCarry: set[loops[node.loop].scope] = true; break;
        case DemandNode::Kind::kAccumulator: set[reduces[node.reduce].scope] = true; break;
        case DemandNode::Kind::kKept: set[node.guard] = true; break;
        case DemandNode::Kind::kReduce: {
          const int scope = reduces[node.reduce].scope;
          if (scope >= 0) {
            set[scope] = false;
            if (owner[scope].empty()) owner[scope] = ScopeSet(scope_count, false);
            if (!reduces[node.reduce].cooperative) merge(owner[scope], set);
          }
          break;
        }
        case DemandNode::Kind::kLoopResult: {
          const int scope = loops[node.loop].scope;
          set[scope] = false;
          owner[scope] = set;
          break;
        }
        case DemandNode::Kind::kChoose:
          for (const int arm : node.arm_scope) {
            if (arm != 0) set[arm] = false;
          }
          for (const int arm : node.arm_scope) {
            if (arm != 0) owner[arm] = set;
          }
          break;
        default: break;
      }
      set[0] = false;
      needs[id] = std::move(set);
    }
  }
  // A loop with nothing but stacked results has no kLoopResult node: it depends on what its stores depend on.
  for (const DemandLoop& loop : loops) {
    if (!owner[loop.scope].empty()) continue;
    ScopeSet set(scope_count, false);
    for (const DemandLoop::Slot& slot : loop.slots) {
      merge(set, needs[slot.init]);
      merge(set, needs[slot.next]);
    }
    if (loop.condition != kNoNode) merge(set, needs[loop.condition]);
    for (const DemandLoop::Stack& stack : loop.stacks) {
      for (const auto& [offset, value] : stack.stores) merge(set, needs[value]);
    }
    set[loop.scope] = false;
    owner[loop.scope] = set;
  }

  // Depths: a scope lies inside the deepest scope its construct depends on. Settles in at most scope_count rounds.
  const auto deepest = [&](const ScopeSet& set) {
    int best = 0;
    for (size_t i = 1; i < set.size(); ++i) {
      if (set[i] && scopes[i].depth > scopes[best].depth) best = static_cast<int>(i);
    }
    return best;
  };
  for (size_t scope = 1; scope < scope_count; ++scope) scopes[scope].depth = 1;
  for (size_t round = 0; round < scope_count; ++round) {
    bool changed = false;
    for (size_t scope = 1; scope < scope_count; ++scope) {
      const int parent = owner[scope].empty() ? 0 : deepest(owner[scope]);
      const int depth = scopes[parent].depth + 1;
      if (parent != scopes[scope].parent || depth != scopes[scope].depth) changed = true;
      scopes[scope].parent = parent;
      scopes[scope].depth = depth;
    }
    if (!changed) break;
  }
  for (size_t id = 0; id < nodes.size(); ++id) nodes[id].scope = deepest(needs[id]);
}

std::optional<ElementSpread> spread(const DemandGraph& graph, const std::vector<int64_t>& dims,
                                    const std::vector<int>& parallel_coordinates) {
  ElementSpread result;
  std::vector<bool> used(parallel_coordinates.size(), false);
  std::vector<int> coordinate_of(dims.size(), -1);
  size_t next = 0;
  int64_t enumerated = 1;
  for (size_t d = 0; d < dims.size(); ++d) {
    size_t found = next;
    while (found < parallel_coordinates.size() && graph.coordinates[parallel_coordinates[found]].extent != dims[d]) ++found;
    if (dims[d] > 1 && found < parallel_coordinates.size()) {
      coordinate_of[d] = parallel_coordinates[found];
      used[found] = true;
      next = found + 1;
    } else {
      if (dims[d] != 0 && enumerated > kMaxEnumerated / dims[d]) return std::nullopt;
      enumerated *= dims[d];
    }
  }
  for (size_t i = 0; i < used.size(); ++i) {
    if (!used[i] && graph.coordinates[parallel_coordinates[i]].extent > 1) result.owners.push_back(parallel_coordinates[i]);
  }
  for (int64_t number = 0; number < enumerated; ++number) {
    std::vector<IndexExpr> index(dims.size());
    int64_t rest = number;
    for (size_t d = dims.size(); d-- > 0;) {
      if (coordinate_of[d] >= 0) {
        index[d] = graph.coordinate(coordinate_of[d]);
      } else {
        index[d] = rest % dims[d];
        rest /= dims[d];
      }
    }
    result.indices.push_back(std::move(index));
  }
  return result;
}

}  // namespace sinter
