// Loops of a demand graph: the values they carry.
#include <algorithm>
#include <cstdlib>

#include "passes/demand/demand.h"
#include "passes/demand/index_ranges.h"
#include "passes/demand/operations/lane_loop.h"

namespace sinter {

namespace {

// More carried registers than this and a loop is not worth a thread's registers.
constexpr size_t kMaxSlots = 96;

}  // namespace

const Instruction* state_element(const Instruction* state, int carry) {
  if (state->opcode == Opcode::kTuple) return state->operand(carry);
  return state->shape.is_tuple() ? nullptr : state;
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
  loop.lane = loop.info.trip_count ? nullptr : lane_predicate(*while_instruction);
  loop.guard = guard;
  DemandScope scope;
  scope.kind = DemandScope::Kind::kLoop;
  scope.instruction = while_instruction;
  scope.loop = number;
  scopes.push_back(scope);
  loop.scope = static_cast<int>(scopes.size()) - 1;
  if (loop.info.trip_count) loop.counter = add_coordinate(*loop.info.trip_count, CoordinateRole::kStep, loop.scope);
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

bool DemandGraph::is_own(const IndexExpr& expr) const {
  if (expr.is_constant()) return true;
  return expr.terms().size() == 1 && expr.constant() == 0 && expr.terms()[0].coefficient == 1 &&
         expr.terms()[0].atom->kind == IndexExpr::AtomKind::kCoordinate &&
         coordinates[expr.terms()[0].atom->id].scope == 0;
}

NodeId DemandGraph::build_loop_value(const Key& key, int number, int carry, bool after) {
  const Instruction* instruction = loops[number].instruction;
  const Instruction* init = state_element(instruction->operand(0), carry);
  if (init == nullptr) return fail(instruction, "loop-state-opaque");
  const Carry& kind = loops[number].info.carries[carry];
  const bool counted = loops[number].counter >= 0;

  const auto exists = [&](const std::vector<IndexExpr>& index) {
    for (size_t d = 0; d < index.size(); ++d) {
      if (!inside(index[d].range(), {0, init->shape.dims[d] - 1})) return false;
    }
    return true;
  };
  if (kind.kind == CarryKind::kInvariant) {
    // Before the loop, unless only a guard inside it keeps the index within the array.
    return want(frames_[loops[number].frame].parent, exists(key.index) ? loops[number].guard : key.guard, init,
                key.index);
  }
  if (kind.kind == CarryKind::kInduction && counted && key.index.empty()) {
    if (after) return index_node(kind.start + kind.step * *loops[number].info.trip_count, init->shape.dtype, init);
    return index_node(coordinate(loops[number].counter) * kind.step + kind.start, init->shape.dtype, key.instruction);
  }
  for (const DemandLoop::Stack& stack : loops[number].stacks) {
    if (stack.carry == carry) return fail(key.instruction, "stack-is-read");
  }
  std::vector<IndexExpr> index = key.index;
  std::optional<IndexExpr> thread;  // of the block, whose value it is, if that is not this one
  if (!after && block_comes_to(loops[number].frame)) thread = thread_of_block(init->shape, index);
  if (thread) {
    index = *own_index(init->shape);
    if (index == key.index.exprs()) thread.reset();
  } else if (!std::all_of(index.begin(), index.end(), [&](const IndexExpr& expr) { return is_own(expr); }) &&
             own_index(init->shape) != index) {
    return fail(instruction, "loop-crosses-threads");
  }
  // A guard around what reads the carry is none around what the carry is at the beginning, and becomes in each step.
  if (!exists(index)) return fail(instruction, "loop-crosses-threads");
  int slot = -1;
  DemandLoop& loop = loops[number];
  for (size_t i = 0; i < loop.slots.size(); ++i) {
    if (loop.slots[i].carry == carry && loop.slots[i].index == index) slot = static_cast<int>(i);
  }
  if (slot < 0) {
    if (loop.slots.size() == kMaxSlots) return fail(instruction, "loop-state-large");
    slot = static_cast<int>(loop.slots.size());
    DemandLoop::Slot fresh;
    fresh.carry = carry;
    fresh.index = index;
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
  if (!after && !thread) return loop.slots[slot].carried;
  DemandNode node;
  if (thread) {
    loop.slots[slot].shared = true;
    node.expr = *thread;
    node.guard = key.guard;
  }
  node.kind = thread ? DemandNode::Kind::kShared : DemandNode::Kind::kLoopResult;
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
      const NodeId condition = loops[number].lane != nullptr
                                   ? demand_lane(number)
                                   : resolve({loops[number].condition_frame, 0,
                                              instruction->attributes->condition.value()->root(), 0, no_index_});
      if (failure) return false;
      loops[number].condition = condition;
      continue;
    }
    const int carry = loops[number].slots[slot].carry;
    const std::vector<IndexExpr> index = loops[number].slots[slot].index;
    const Instruction* init = state_element(instruction->operand(0), carry);
    const Instruction* next = state_element(instruction->attributes->body.value()->root(), carry);
    if (next == nullptr) {
      fail(instruction, "loop-state-opaque");
      return false;
    }
    if (loops[number].lane != nullptr && next->opcode == Opcode::kSelect) {
      // While a lane's loop runs, its predicate holds. The element must be the lane's own.
      const NodeId holds = resolve({loops[number].frame, 0, next->operand(0), 0, keep(index)});
      if (!failure && holds != loops[number].condition) fail(instruction, "loop-crosses-threads");
      if (failure) return false;
      next = next->operand(1);
    }
    const NodeId init_node = resolve({frames_[loops[number].frame].parent, loops[number].guard, init, 0, keep(index)});
    if (failure) return false;
    loops[number].slots[slot].init = init_node;
    const NodeId next_node = resolve({loops[number].frame, 0, next, 0, keep(index)});
    if (failure) return false;
    loops[number].slots[slot].next = next_node;
  }
  return true;
}

// A thread is a lane: the predicate of its own.
NodeId DemandGraph::demand_lane(int number) {
  const Instruction* lane = loops[number].lane;
  const std::optional<std::vector<IndexExpr>> own = own_index(lane->shape);
  if (!own) return fail(loops[number].instruction, "loop-crosses-threads");
  return resolve({loops[number].frame, 0, lane, 0, keep(*own)});
}

bool DemandGraph::complete(const std::vector<int>& parallel_coordinates) {
  // A loop whose only demanded results are stacks was not met through demand().
  for (const DeclaredStack& declared : declared_stacks_) open_loop(0, 0, declared.loop);
  if (!drain()) return false;
  for (int number = 0; number < static_cast<int>(loops.size()); ++number) {
    for (size_t stack = 0; stack < loops[number].stacks.size(); ++stack) {
      if (!demand_stack(number, stack, parallel_coordinates)) return false;
    }
  }
  return true;
}

bool DemandGraph::finish(const std::vector<int>& parallel_coordinates) {
  if (!complete(parallel_coordinates)) return false;
  set_scopes();
  return true;
}

namespace {

// Spreads an array over threads that have a cell of it each: along every dimension as many neighbours as that is longer
// than the coordinates are, in the order of both. nullopt where these do not divide, or a cell has too many elements.
std::optional<ElementSpread> spread_cells(const DemandGraph& graph, const std::vector<int64_t>& dims,
                                          const std::vector<int>& parallel_coordinates) {
  std::vector<int64_t> cell;
  std::vector<int> coordinate_of;
  size_t next = 0;
  int64_t count = 1;
  for (const int64_t dim : dims) {
    const bool has_one = dim > 1 && next < parallel_coordinates.size();
    const int64_t extent = has_one ? graph.coordinates[parallel_coordinates[next]].extent : 1;
    if (dim % extent != 0 || (dim > 1 && !has_one)) return std::nullopt;
    coordinate_of.push_back(has_one ? parallel_coordinates[next++] : -1);
    cell.push_back(dim / extent);
    count *= cell.back();
    if (count > kMaxEnumerated) return std::nullopt;
  }
  if (next < parallel_coordinates.size()) return std::nullopt;
  ElementSpread result;
  for (int64_t number = 0; number < count; ++number) {
    std::vector<IndexExpr> index(dims.size());
    int64_t rest = number;
    for (size_t d = dims.size(); d-- > 0; rest /= cell[d]) {
      index[d] = rest % cell[d];
      if (coordinate_of[d] >= 0) index[d] = graph.coordinate(coordinate_of[d]) * cell[d] + index[d];
    }
    result.indices.push_back(std::move(index));
  }
  return result;
}

}  // namespace

std::optional<ElementSpread> spread(const DemandGraph& graph, const std::vector<int64_t>& dims,
                                    const std::vector<int>& parallel_coordinates) {
  ElementSpread result;
  std::vector<bool> used(parallel_coordinates.size(), false);
  std::vector<int> coordinate_of(dims.size(), -1);
  size_t next = 0;
  int64_t enumerated = 1, elements = 1, threads = 1;
  for (const int id : parallel_coordinates) threads *= graph.coordinates[id].extent;
  for (size_t d = 0; d < dims.size(); ++d) {
    size_t found = next;
    while (found < parallel_coordinates.size() && graph.coordinates[parallel_coordinates[found]].extent != dims[d])
      ++found;
    if (dims[d] > 1 && found < parallel_coordinates.size()) {
      coordinate_of[d] = parallel_coordinates[found];
      used[found] = true;
      next = found + 1;
    } else {
      enumerated *= dims[d];
    }
    elements *= dims[d];
  }
  if (enumerated > 1 && elements == threads) {
    return ElementSpread{{delinearize(graph.row_major(parallel_coordinates), dims)}, {}};
  }
  if (enumerated > kMaxEnumerated) return spread_cells(graph, dims, parallel_coordinates);
  for (size_t i = 0; i < used.size(); ++i) {
    if (!used[i] && graph.coordinates[parallel_coordinates[i]].extent > 1)
      result.owners.push_back(parallel_coordinates[i]);
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
