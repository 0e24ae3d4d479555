// The order of a kernel's statements: after what they read, and otherwise as the Python source has them.
#include <algorithm>

#include "ir/support/diagnostics.h"
#include "passes/lower/arrange/arranger.h"

namespace sinter {

using NodeKind = DemandNode::Kind;

void Arranger::holders(const IndexExpr& expr, std::set<NodeId>* result, std::set<int>* index_items) const {
  const auto named = item_of_index_.find(index_base(expr).base);
  if (named != item_of_index_.end()) index_items->insert(named->second);
  holders_of_terms(expr, result, index_items);
}

// The same of the expression's own spelling, whether it has a name or not.
void Arranger::holders_of_terms(const IndexExpr& expr, std::set<NodeId>* result, std::set<int>* index_items) const {
  for (const IndexExpr::Term& term : expr.terms()) {
    const IndexExpr::AtomKind kind = term.atom->kind;
    if (kind == IndexExpr::AtomKind::kValue) holders(term.atom->id, result);
    if (kind == IndexExpr::AtomKind::kFloorDiv || kind == IndexExpr::AtomKind::kMod)
      holders(term.atom->operand, result, index_items);
  }
}

void Arranger::holders(NodeId first, std::set<NodeId>* result) const {
  std::vector<NodeId> stack = {first};
  std::set<NodeId> seen;
  while (!stack.empty()) {
    const NodeId node = stack.back();
    stack.pop_back();
    if (!seen.insert(node).second) continue;
    if (expressions_.named(node)) {
      result->insert(node);
      continue;
    }
    for (const NodeId read : reads(node)) stack.push_back(read);
    graph_.nodes[node].expr.visit_leaves([&](const IndexExpr::Atom& atom) {
      if (atom.kind == IndexExpr::AtomKind::kValue) stack.push_back(atom.id);
    });
  }
}

int Arranger::lift(int item, int scope) const {
  int current = items_.all[item].scope;
  while (current != scope) {
    const int solid = current;
    if (current == 0) return -1;
    const auto opener = opener_.find(solid);
    if (opener == opener_.end()) return -1;
    item = opener->second;
    current = items_.all[item].scope;
  }
  return item;
}

void Arranger::link_items() {
  for (size_t i = 0; i < items_.all.size(); ++i) {
    Item& item = items_.all[i];
    if (item.scope < 0) continue;
    std::set<NodeId> read;
    std::set<int> index_items;
    // It is an element of what is loaded where it is first read.
    const auto is_of_vector = [&](NodeId node) {
      return graph_.nodes[node].kind == NodeKind::kLoad && expressions_.members.count(node) > 0;
    };
    const auto spelled = [&](NodeId node) {
      // What the initialiser of a named node reads; of others the same through holders().
      std::vector<NodeId> stack = reads(node);
      for (const NodeId operand : stack) holders(operand, &read);
      std::vector<NodeId> inlined = {node};
      std::set<NodeId> seen;
      while (!inlined.empty()) {
        const NodeId current = inlined.back();
        inlined.pop_back();
        if (!seen.insert(current).second) continue;
        holders(graph_.nodes[current].expr, &read, &index_items);
        for (const NodeId operand : reads(current)) {
          if (!expressions_.named(operand)) inlined.push_back(operand);
          if (is_of_vector(operand)) holders(graph_.nodes[operand].expr, &read, &index_items);
        }
      }
    };
    const auto used = [&](NodeId node) {
      if (expressions_.named(node)) {
        read.insert(node);
        if (is_of_vector(node)) holders(graph_.nodes[node].expr, &read, &index_items);
      } else {
        spelled(node);
      }
    };
    // Read inside the item's own scope: what stands outside it must still come first.
    const auto inner_reads = [&](NodeId node) {
      const auto outside = [&](int source) { return items_.all[source].scope == item.scope; };
      std::vector<NodeId> stack = {node};
      std::set<NodeId> seen;
      while (!stack.empty()) {
        const NodeId current = stack.back();
        stack.pop_back();
        if (!seen.insert(current).second) continue;
        if (expressions_.named(current)) {
          if (item_of_node_.count(current) == 0 || outside(item_of_node_.at(current))) read.insert(current);
          continue;
        }
        for (const NodeId operand : reads(current)) stack.push_back(operand);
        std::set<NodeId> in_index;
        std::set<int> indices;
        holders(graph_.nodes[current].expr, &in_index, &indices);
        stack.insert(stack.end(), in_index.begin(), in_index.end());
        for (const int index : indices) {
          if (outside(index)) index_items.insert(index);
        }
      }
    };
    switch (item.kind) {
      case Item::Kind::kLet:
      case Item::Kind::kSinCos:
      case Item::Kind::kKeep:
      case Item::Kind::kExchange:
        spelled(item.node);
        break;
      case Item::Kind::kDivide:
        spelled(item.node);
        for (const NodeId factor : items_.quotients.at(item.node).factors) used(factor);
        break;
      case Item::Kind::kGuard:
        spelled(item.node);
        for (const NodeId other : item.others) spelled(other);
        break;
      case Item::Kind::kLanes:
      case Item::Kind::kFew:
        break;
      case Item::Kind::kPhase:
        for (const int number : graph_.phases[item.number].reduces) {
          const DemandReduce& reduce = graph_.reduces[number];
          used(reduce.init[0]);
          inner_reads(reduce.values[0]);
        }
        break;
      case Item::Kind::kIndex:
        holders_of_terms(item.index, &read, &index_items);
        break;
      case Item::Kind::kReduce: {
        const DemandReduce& reduce = graph_.reduces[item.number];
        for (const auto* list : {&reduce.init, &reduce.values, &reduce.combined}) {
          for (size_t i = 0; i < list->size(); ++i) {
            if (reduce.is_read(i)) used((*list)[i]);
          }
        }
        for (const DemandTest& test : reduce.tests) holders(test.expr, &read, &index_items);
        if (reduce.chooses) holders(reduce.place, &read, &index_items);
        for (const NodeId place : reduce.match) used(place);
        for (const DemandReduce::Tap& tap : reduce.taps) used(tap.position);
        break;
      }
      case Item::Kind::kLoop:
        for (const DemandLoop::Slot& slot : graph_.loops[item.number].slots) used(slot.init);
        break;
      case Item::Kind::kBreak:
        used(graph_.loops[item.number].condition);
        break;
      case Item::Kind::kAssign:
        used(graph_.loops[item.number].slots[item.slot].next);
        break;
      case Item::Kind::kStack:
        for (const auto& [offset, value] : graph_.loops[item.number].stacks[item.slot].stores) {
          used(value);
          holders(offset, &read, &index_items);
        }
        break;
      case Item::Kind::kStore:
        used(graph_.stores[item.number].node);
        holders(graph_.stores[item.number].offset, &read, &index_items);
        break;
    }
    std::set<int> sources = index_items;
    for (const NodeId node : read) {
      const DemandNode& demanded = graph_.nodes[node];
      if (demanded.kind == NodeKind::kCarry || demanded.kind == NodeKind::kOfLane ||
          demanded.kind == NodeKind::kLoopResult) {
        sources.insert(opener_.at(graph_.loops[demanded.loop].scope));
      } else if (demanded.kind == NodeKind::kAccumulator) {
        sources.insert(opener_.at(graph_.reduces[demanded.reduce].scope));
      } else if (demanded.kind == NodeKind::kKept) {
        for (const ColumnPhase& phase : graph_.phases) {
          for (const auto& [slot, kept] : phase.keeps) {
            if (slot == demanded.slot) sources.insert(opener_.at(phase.scope));
          }
        }
      } else if (item_of_node_.count(node) > 0) {
        sources.insert(item_of_node_.at(node));
      }
    }
    for (const int source : sources) {
      const int reader = lift(static_cast<int>(i), items_.all[source].scope);
      if (reader >= 0 && reader != source) items_.all[reader].after.insert(source);
    }
    // An assignment comes after everything that reads the old value.
    for (const NodeId node : read) {
      const DemandNode& demanded = graph_.nodes[node];
      if (demanded.kind != NodeKind::kCarry) continue;
      for (size_t other = 0; other < items_.all.size(); ++other) {
        Item& assign = items_.all[other];
        if (assign.kind != Item::Kind::kAssign || assign.number != demanded.loop || assign.slot != demanded.slot)
          continue;
        const int reader = lift(static_cast<int>(i), assign.scope);
        if (reader >= 0 && reader != static_cast<int>(other)) assign.after.insert(reader);
      }
    }
  }
  // Stores and assignments end their scope; a loop's test comes before what it does not need.
  const auto is_last = [](const Item& item) {
    return item.kind == Item::Kind::kAssign || item.kind == Item::Kind::kStore || item.kind == Item::Kind::kStack ||
           item.kind == Item::Kind::kFew;
  };
  for (Item& item : items_.all) {
    if (!is_last(item)) continue;
    for (size_t j = 0; j < items_.all.size(); ++j) {
      const Item& other = items_.all[j];
      if (other.scope == item.scope && !is_last(other)) item.after.insert(item.after.end(), static_cast<int>(j));
    }
  }
}

void Arranger::order_items() {
  items_.order.resize(graph_.scopes.size());
  // Items without a place in the source stand where their first reader stands.
  for (size_t round = 0; round < 4; ++round) {
    for (const Item& reader : items_.all) {
      if (reader.scope < 0 || reader.place.function.empty()) continue;
      for (const int source : reader.after) {
        Item& item = items_.all[source];
        if (item.place.function.empty() && item.kind != Item::Kind::kIndex && item.scope == reader.scope)
          item.place = reader.place;
      }
    }
  }
  for (size_t scope = 0; scope < graph_.scopes.size(); ++scope) {
    std::vector<int> members;
    for (size_t i = 0; i < items_.all.size(); ++i) {
      if (items_.all[i].scope == static_cast<int>(scope)) members.push_back(static_cast<int>(i));
    }
    std::set<int> left(members.begin(), members.end());
    std::map<int, int> waiting;  // item -> sources not placed yet
    std::map<int, std::vector<int>> readers;
    for (const int item : members) {
      int count = 0;
      for (const int source : items_.all[item].after) {
        if (left.count(source) == 0) continue;
        ++count;
        readers[source].push_back(item);
      }
      waiting[item] = count;
    }
    // Ready items by (is an ending item, path in the source, number), with those of the present function first.
    const auto is_early = [&](const Item& item) {
      return item.kind == Item::Kind::kLet && expressions_.read_early.count(item.node) > 0;
    };
    const auto key = [&](int number) {
      const Item& item = items_.all[number];
      const int rank = item.kind == Item::Kind::kIndex ? 0 : is_early(item) || item.kind == Item::Kind::kBreak ? 1 : 2;
      return std::make_tuple(rank, item.place.path, number);
    };
    std::set<decltype(key(0))> ready;
    for (const int item : members) {
      if (waiting[item] == 0) ready.insert(key(item));
    }
    std::string function;
    std::vector<int>& order = items_.order[scope];
    while (!left.empty()) {
      int chosen = -1;
      for (const auto& candidate : ready) {
        const int number = std::get<2>(candidate);
        if (std::get<0>(candidate) < 2 || (!function.empty() && items_.all[number].place.function == function)) {
          chosen = number;
          break;
        }
      }
      if (chosen < 0 && !ready.empty()) chosen = std::get<2>(*ready.begin());
      if (chosen < 0) {
        // Carries that read each other's old value (a swap): the first of them goes through a temporary.
        for (const int item : members) {
          if (left.count(item) > 0 && items_.all[item].kind == Item::Kind::kAssign &&
              !items_.all[item].through_temporary) {
            chosen = item;
            break;
          }
        }
        check(chosen >= 0, "lower", "statements depend on each other in a circle");
        items_.all[chosen].through_temporary = true;
        // The others need not wait for it to have read their old values: the temporary is taken before them all.
        for (const int item : members) {
          if (items_.all[item].kind == Item::Kind::kAssign && items_.all[item].after.erase(chosen) > 0 &&
              left.count(item) > 0) {
            if (--waiting[item] == 0) ready.insert(key(item));
            auto& list = readers[chosen];
            list.erase(std::remove(list.begin(), list.end(), item), list.end());
          }
        }
        continue;
      }
      ready.erase(key(chosen));
      left.erase(chosen);
      order.push_back(chosen);
      const Item& item = items_.all[chosen];
      if (!item.place.function.empty() && !is_early(item)) function = item.place.function;
      for (const int reader : readers[chosen]) {
        if (--waiting[reader] == 0) ready.insert(key(reader));
      }
    }
  }
}

}  // namespace sinter
