// One item for each variable, loop, reduction, guard block and store of a kernel's text.
#include <algorithm>
#include <numeric>

#include "passes/demand/first_threads.h"
#include "passes/lower/arrange/arranger.h"

namespace sinter {

using NodeKind = DemandNode::Kind;

void Arranger::make_items() {
  const auto place = [&](const Instruction* instruction) { return source_place(module_, *instruction); };
  const auto add = [&](Item item) {
    items_.all.push_back(std::move(item));
    return static_cast<int>(items_.all.size()) - 1;
  };
  std::map<NodeId, NodeId> cosine_of;  // operand -> named cosine, f32, same scope as its sine
  for (const NodeId node : items_.named) {
    const DemandNode& demanded = graph_.nodes[node];
    if (demanded.kind == NodeKind::kCompute && demanded.instruction->opcode == Opcode::kCosine &&
        demanded.dtype == DType::kF32) {
      cosine_of[demanded.operands[0]] = node;
    }
  }
  for (size_t p = 0; p < graph_.phases.size(); ++p) {
    Item phase;
    phase.kind = Item::Kind::kPhase;
    phase.number = static_cast<int>(p);
    if (!graph_.phases[p].reduces.empty()) phase.place = place(graph_.reduces[graph_.phases[p].reduces[0]].instruction);
    opener_[graph_.phases[p].scope] = add(std::move(phase));
    for (size_t k = 0; k < graph_.phases[p].keeps.size(); ++k) {
      const auto& [slot, node] = graph_.phases[p].keeps[k];
      Item keep;
      keep.kind = Item::Kind::kKeep;
      keep.number = static_cast<int>(p);
      keep.slot = static_cast<int>(k);
      keep.node = node;
      keep.scope = graph_.phases[p].scope;
      keep.place = place(graph_.nodes[node].instruction);
      item_of_node_[node] = add(std::move(keep));
    }
  }
  if (lanes_scope_ != 0) {
    Item lanes;
    lanes.kind = Item::Kind::kLanes;
    opener_[lanes_scope_] = add(std::move(lanes));
  }
  for (size_t scope = 0; scope < graph_.scopes.size(); ++scope) {
    if (!is_of_first_threads(graph_, scope)) continue;
    Item few;
    few.kind = Item::Kind::kFew;
    few.number = static_cast<int>(scope);
    opener_[few.number] = add(std::move(few));
  }
  std::set<int> reduces_made;
  for (const NodeId node : items_.named) {
    const DemandNode& demanded = graph_.nodes[node];
    if (item_of_node_.count(node) > 0) continue;
    Item item;
    item.node = node;
    item.scope = statement_scope(demanded.scope);
    item.place = place(demanded.instruction);
    if (demanded.kind == NodeKind::kReduce && graph_.reduces[demanded.reduce].scope >= 0) {
      const int scope = graph_.reduces[demanded.reduce].scope;
      if (graph_.reduces[demanded.reduce].cooperative) {
        item_of_node_[node] = opener_.at(scope);
        continue;
      }
      if (!reduces_made.insert(demanded.reduce).second) continue;
      item.kind = Item::Kind::kReduce;
      item.number = demanded.reduce;
      item.scope = statement_scope(graph_.scopes[scope].parent);
      const int number = add(std::move(item));
      opener_[scope] = number;
      if (graph_.reduces[demanded.reduce].guard != 0) opener_[graph_.reduces[demanded.reduce].guard] = number;
      if (const int lanes = lanes_of_steps(graph_, graph_.reduces[demanded.reduce]); lanes > 0) opener_[lanes] = number;
      for (const NodeId other : items_.named) {
        const DemandNode& result = graph_.nodes[other];
        if (result.kind == NodeKind::kReduce && result.reduce == demanded.reduce) item_of_node_[other] = number;
      }
      continue;
    }
    if (demanded.kind == NodeKind::kCompute && demanded.instruction->opcode == Opcode::kSine &&
        demanded.dtype == DType::kF32) {
      const auto cosine = cosine_of.find(demanded.operands[0]);
      if (cosine != cosine_of.end() && graph_.nodes[cosine->second].scope == demanded.scope &&
          item_of_node_.count(cosine->second) == 0) {
        item.kind = Item::Kind::kSinCos;
        item.second = cosine->second;
        const int number = add(std::move(item));
        item_of_node_[node] = number;
        item_of_node_[cosine->second] = number;
        continue;
      }
    }
    const auto pair = items_.quotients.find(node);
    if (pair != items_.quotients.end()) {
      item.kind = Item::Kind::kDivide;
      item.second = pair->second.second;
      const int number = add(std::move(item));
      item_of_node_[node] = number;
      item_of_node_[pair->second.second] = number;
      continue;
    }
    const bool guard = demanded.kind == NodeKind::kChoose &&
                       ((demanded.arm_scope[0] != 0 && items_.statement_guard[demanded.arm_scope[0]]) ||
                        (demanded.arm_scope[1] != 0 && items_.statement_guard[demanded.arm_scope[1]]));
    if (guard && demanded.arm_scope[0] != 0 && opener_.count(demanded.arm_scope[0]) > 0) {
      // Another result of a conditional.
      const int first = opener_.at(demanded.arm_scope[0]);
      items_.all[first].others.push_back(node);
      item_of_node_[node] = first;
      continue;
    }
    item.kind = guard ? Item::Kind::kGuard : Item::Kind::kLet;
    if (demanded.kind == NodeKind::kExchanged) item.kind = Item::Kind::kExchange;
    const int number = add(std::move(item));
    item_of_node_[node] = number;
    if (guard) {
      for (const int arm : demanded.arm_scope) {
        if (arm != 0) opener_[arm] = number;
      }
    }
  }
  // A cosine whose sine came later in the set was given a plain item above; drop that one.
  for (size_t i = 0; i < items_.all.size(); ++i) {
    Item& item = items_.all[i];
    if (item.kind == Item::Kind::kLet && item_of_node_.count(item.node) > 0 &&
        item_of_node_[item.node] != static_cast<int>(i)) {
      item.scope = -1;
    }
  }
  for (size_t l = 0; l < graph_.loops.size(); ++l) {
    const DemandLoop& loop = graph_.loops[l];
    if (!needed_loops_[l]) continue;
    Item item;
    item.kind = Item::Kind::kLoop;
    item.number = static_cast<int>(l);
    item.scope = statement_scope(graph_.scopes[loop.scope].parent);
    item.place = place(loop.instruction);
    opener_[loop.scope] = add(std::move(item));
    for (const int scope : {loop.ahead.scope, loop.ahead.chain_scope}) {
      if (scope >= 0) opener_[scope] = opener_[loop.scope];
    }
    if (loop.condition != kNoNode) {
      Item test;
      test.kind = Item::Kind::kBreak;
      test.number = static_cast<int>(l);
      test.scope = loop.scope;
      const Instruction* tested = graph_.nodes[loop.condition].instruction;
      if (tested != nullptr) test.place = place(tested);
      add(std::move(test));
    }
    std::vector<size_t> slots(loop.slots.size());
    std::iota(slots.begin(), slots.end(), 0);
    std::sort(slots.begin(), slots.end(), [&](size_t a, size_t b) {
      return std::tie(loop.slots[a].carry, loop.slots[a].index) < std::tie(loop.slots[b].carry, loop.slots[b].index);
    });
    for (const size_t s : slots) {
      if (loop.slots[s].next == loop.slots[s].carried) continue;
      Item assign;
      assign.kind = Item::Kind::kAssign;
      assign.number = static_cast<int>(l);
      assign.slot = static_cast<int>(s);
      assign.scope = loop.slots[s].ahead ? loop.ahead.chain_scope : loop.scope;
      assign.place = place(graph_.nodes[loop.slots[s].next].instruction);
      add(std::move(assign));
    }
    for (size_t s = 0; s < loop.stacks.size(); ++s) {
      Item stack;
      stack.kind = Item::Kind::kStack;
      stack.number = static_cast<int>(l);
      stack.slot = static_cast<int>(s);
      stack.scope = loop.scope;
      stack.place = place(loop.stacks[s].output);
      add(std::move(stack));
    }
  }
  for (size_t s = 0; s < graph_.stores.size(); ++s) {
    Item store;
    store.kind = Item::Kind::kStore;
    store.number = static_cast<int>(s);
    store.scope = graph_.stores[s].scope;
    add(std::move(store));
  }
}

}  // namespace sinter
