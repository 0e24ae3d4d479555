#include "passes/lower/items.h"

#include <algorithm>
#include <numeric>

#include "ir/diagnostics.h"
#include "passes/lower/device_functions.h"
#include "passes/lower/rotation.h"
#include "passes/schedule/value_names.h"

namespace sinter {

namespace {

using NodeKind = DemandNode::Kind;

// Columns a spelled value may take before an operand gets a name of its own: a line has 100, of which indentation,
// type, name and punctuation take about thirty.
constexpr int64_t kSpelledWidth = 72;

// A guard's arm longer than this becomes an if statement.
constexpr int64_t kArmWidth = 48;

class Arranger {
 public:
  Arranger(const Module& module, const DemandGraph& graph, Expressions& expressions)
      : module_(module), graph_(graph), expressions_(expressions) {
    for (size_t scope = 0; scope < graph.scopes.size(); ++scope) {
      if (graph.scopes[scope].kind == DemandScope::Kind::kLanes) lanes_scope_ = static_cast<int>(scope);
    }
  }

  Items run() {
    find_reachable();
    count_uses();
    choose_guard_forms();
    // Widths are estimated before loops have variables: a placeholder stands for each.
    std::vector<int> without_name;
    for (size_t id = 0; id < graph_.coordinates.size(); ++id) {
      if (expressions_.coordinates.emplace(static_cast<int>(id), expressions_.kernel->name_expr("t")).second) {
        without_name.push_back(static_cast<int>(id));
      }
    }
    const Expr* slot = expressions_.slot;
    expressions_.slot = expressions_.kernel->name_expr("k");
    name_indices();
    name_values();
    expressions_.slot = slot;
    for (const int id : without_name) expressions_.coordinates.erase(id);
    make_items();
    link_items();
    order_items();
    return std::move(items_);
  }

 private:
  void find_reachable();
  void count_uses();
  void choose_guard_forms();
  void name_values();
  void name_indices();
  void make_items();
  void link_items();
  void order_items();

  // The nodes a node's spelling reads; a contracted product's operands instead of the product.
  std::vector<NodeId> reads(NodeId node) const;
  bool absorbed_product(NodeId add, NodeId operand) const;
  int statement_scope(int scope) const;
  Variable* make_variable(NodeId node, const std::string& hint);
  void name_node(NodeId node);
  int lift(int item, int scope) const;
  // Nodes with a variable, loop carries included, that the spelling of `node` reads.
  void holders(NodeId node, std::set<NodeId>* result) const;
  void holders(const IndexExpr& expr, std::set<NodeId>* result, std::set<int>* index_items) const;

  const Module& module_;
  const DemandGraph& graph_;
  Expressions& expressions_;
  Items items_;
  std::vector<bool> reachable_;
  std::vector<int> uses_;
  std::vector<bool> used_deeper_;
  std::vector<bool> must_name_;
  std::map<NodeId, int> item_of_node_;
  std::map<IndexExpr, int> item_of_index_;
  std::map<int, int> opener_;  // scope -> the item that opens it
  int lanes_scope_ = 0;
};

int Arranger::statement_scope(int scope) const {
  while (graph_.scopes[scope].kind == DemandScope::Kind::kGuard && !items_.statement_guard[scope]) {
    scope = graph_.scopes[scope].parent;
  }
  return scope;
}

bool Arranger::absorbed_product(NodeId id, NodeId operand) const {
  const DemandNode& node = graph_.nodes[id];
  if (node.kind != NodeKind::kCompute) return false;
  const auto fma = node.instruction->frontend_attributes.find("sinter_fma");
  if (fma == node.instruction->frontend_attributes.end()) return false;
  const size_t position = fma->second == "0" ? 0 : 1;
  const DemandNode& product = graph_.nodes[operand];
  return node.operands[position] == operand && product.kind == NodeKind::kCompute &&
         product.instruction->opcode == Opcode::kMultiply;
}

std::vector<NodeId> Arranger::reads(NodeId id) const {
  if (const std::optional<Rotation> rotated = rotation(graph_, id)) return {rotated->operand};
  std::vector<NodeId> result;
  const DemandNode& node = graph_.nodes[id];
  for (const NodeId operand : node.operands) {
    if (absorbed_product(id, operand)) {
      const std::vector<NodeId>& factors = graph_.nodes[operand].operands;
      result.insert(result.end(), factors.begin(), factors.end());
    } else {
      result.push_back(operand);
    }
  }
  if (node.kind == NodeKind::kReduce && graph_.reduces[node.reduce].scope < 0) {
    const DemandReduce& reduce = graph_.reduces[node.reduce];
    result.insert(result.end(), reduce.init.begin(), reduce.init.end());
    for (const auto& term : reduce.terms) result.insert(result.end(), term.begin(), term.end());
  }
  return result;
}

// Marks what the stores and loops need.
void Arranger::find_reachable() {
  reachable_.assign(graph_.nodes.size(), false);
  std::vector<NodeId> stack;
  stack.insert(stack.end(), graph_.results.begin(), graph_.results.end());
  for (const DemandStore& store : graph_.stores) stack.push_back(store.node);
  for (const ColumnPhase& phase : graph_.phases) {
    for (const auto& [slot, node] : phase.keeps) stack.push_back(node);
  }
  const auto values_of = [&](const IndexExpr& expr) {
    expr.visit_leaves([&](const IndexExpr::Atom& atom) {
      if (atom.kind == IndexExpr::AtomKind::kValue) stack.push_back(atom.id);
    });
  };
  for (const DemandStore& store : graph_.stores) values_of(store.offset);
  for (const DemandLoop& loop : graph_.loops) {
    for (const DemandLoop::Slot& slot : loop.slots) {
      stack.push_back(slot.init);
      stack.push_back(slot.next);
    }
    if (loop.condition != kNoNode) stack.push_back(loop.condition);
    for (const DemandLoop::Stack& stack_result : loop.stacks) {
      for (const auto& [offset, value] : stack_result.stores) {
        stack.push_back(value);
        values_of(offset);
      }
    }
  }
  while (!stack.empty()) {
    const NodeId id = stack.back();
    stack.pop_back();
    if (reachable_[id]) continue;
    reachable_[id] = true;
    const DemandNode& node = graph_.nodes[id];
    for (const NodeId operand : reads(id)) stack.push_back(operand);
    values_of(node.expr);
    if (node.kind == NodeKind::kReduce && graph_.reduces[node.reduce].scope >= 0) {
      const DemandReduce& reduce = graph_.reduces[node.reduce];
      for (const auto* list : {&reduce.init, &reduce.values, &reduce.combined}) {
        stack.insert(stack.end(), list->begin(), list->end());
      }
    }
  }
}

void Arranger::count_uses() {
  uses_.assign(graph_.nodes.size(), 0);
  used_deeper_.assign(graph_.nodes.size(), false);
  must_name_.assign(graph_.nodes.size(), false);
  items_.statement_guard.assign(graph_.scopes.size(), false);
  // Guards count as transparent here: an arm's expression may be spelled inside the conditional.
  const auto solid = [&](int scope) {
    while (graph_.scopes[scope].kind == DemandScope::Kind::kGuard) scope = graph_.scopes[scope].parent;
    return scope;
  };
  const auto use = [&](NodeId node, int scope) {
    ++uses_[node];
    if (solid(scope) != solid(graph_.nodes[node].scope)) used_deeper_[node] = true;
  };
  const auto index_use = [&](const IndexExpr& expr) {
    expr.visit_leaves([&](const IndexExpr::Atom& atom) {
      if (atom.kind == IndexExpr::AtomKind::kValue) must_name_[atom.id] = true;
    });
  };
  for (size_t id = 0; id < graph_.nodes.size(); ++id) {
    if (!reachable_[id]) continue;
    const DemandNode& node = graph_.nodes[id];
    for (const NodeId operand : reads(static_cast<NodeId>(id))) use(operand, node.scope);
    index_use(node.expr);
    if (node.kind == NodeKind::kReduce && graph_.reduces[node.reduce].scope >= 0 && node.result == 0) {
      const DemandReduce& reduce = graph_.reduces[node.reduce];
      for (const NodeId init : reduce.init) use(init, graph_.scopes[reduce.scope].parent);
      for (const NodeId value : reduce.combined.empty() ? reduce.values : reduce.combined) use(value, reduce.scope);
    }
  }
  for (const DemandLoop& loop : graph_.loops) {
    for (const DemandLoop::Slot& slot : loop.slots) {
      use(slot.init, graph_.scopes[loop.scope].parent);
      use(slot.next, loop.scope);
    }
    if (loop.condition != kNoNode) use(loop.condition, loop.scope);
    for (const DemandLoop::Stack& stack : loop.stacks) {
      for (const auto& [offset, value] : stack.stores) {
        use(value, loop.scope);
        index_use(offset);
      }
    }
  }
  for (const NodeId result : graph_.results) use(result, 0);
  for (const DemandStore& store : graph_.stores) {
    use(store.node, store.scope);
    index_use(store.offset);
  }
  for (const ColumnPhase& phase : graph_.phases) {
    for (const auto& [slot, node] : phase.keeps) use(node, phase.scope);
  }
}

void Arranger::choose_guard_forms() {
  const size_t count = graph_.scopes.size();
  std::vector<bool> block(count, false);
  std::vector<int64_t> width_of(count, 0);
  for (size_t id = 0; id < graph_.nodes.size(); ++id) {
    const DemandNode& node = graph_.nodes[id];
    if (!reachable_[id] || graph_.scopes[node.scope].kind != DemandScope::Kind::kGuard) continue;
    if (node.kind == NodeKind::kConstant || node.kind == NodeKind::kIndex) continue;
    width_of[node.scope] += node.kind == NodeKind::kLoad ? 16 : 6;
    if (uses_[id] > 1 || must_name_[id] || node.kind == NodeKind::kLoopResult) block[node.scope] = true;
    if (node.kind == NodeKind::kReduce && graph_.reduces[node.reduce].scope >= 0) block[node.scope] = true;
  }
  for (size_t scope = 1; scope < count; ++scope) {
    if (graph_.scopes[scope].kind == DemandScope::Kind::kGuard && width_of[scope] > kArmWidth) block[scope] = true;
  }
  // A block inside an arm makes the arm a block.
  for (size_t round = 0; round < count; ++round) {
    bool changed = false;
    for (size_t scope = 1; scope < count; ++scope) {
      const int parent = graph_.scopes[scope].parent;
      const bool opens_block = graph_.scopes[scope].kind != DemandScope::Kind::kGuard || block[scope];
      if (opens_block && graph_.scopes[parent].kind == DemandScope::Kind::kGuard && !block[parent]) {
        block[parent] = changed = true;
      }
    }
    if (!changed) break;
  }
  for (size_t id = 0; id < graph_.nodes.size(); ++id) {
    const DemandNode& node = graph_.nodes[id];
    if (node.kind != NodeKind::kChoose || !reachable_[id]) continue;
    const bool statement = (node.arm_scope[0] != 0 && block[node.arm_scope[0]]) ||
                           (node.arm_scope[1] != 0 && block[node.arm_scope[1]]);
    if (!statement) continue;
    must_name_[id] = true;
    for (const int arm : node.arm_scope) {
      if (arm != 0) items_.statement_guard[arm] = true;
    }
  }
}

Variable* Arranger::make_variable(NodeId node, const std::string& hint) {
  const DemandNode& demanded = graph_.nodes[node];
  const CType type = demanded.kind == NodeKind::kCall ? expressions_.functions->of(*demanded.instruction).result
                                                      : CType::value(demanded.dtype);
  Variable* variable = expressions_.kernel->variable(hint, type, demanded.instruction);
  expressions_.variables[node] = variable;
  return variable;
}

void Arranger::name_node(NodeId node) {
  if (!items_.named.insert(node).second) return;
  const DemandNode& demanded = graph_.nodes[node];
  std::string hint = value_name(*demanded.instruction);
  if (demanded.kind == NodeKind::kLoad) {
    // An element goes by its array.
    hint = expressions_.buffers.at(demanded.instruction)->name;
    if (hint.ends_with("_in")) hint.resize(hint.size() - 3);
    hint += "_value";
  }
  if (demanded.kind == NodeKind::kClampIndex) hint = "start";
  make_variable(node, hint);
}

void Arranger::name_values() {
  // Carried values: one variable a slot, the loop's result too.
  for (size_t id = 0; id < graph_.nodes.size(); ++id) {
    const DemandNode& node = graph_.nodes[id];
    if (node.kind == NodeKind::kCarry) make_variable(static_cast<NodeId>(id), value_name(*node.instruction));
  }
  for (size_t id = 0; id < graph_.nodes.size(); ++id) {
    const DemandNode& node = graph_.nodes[id];
    if (node.kind == NodeKind::kLoopResult) {
      expressions_.variables[static_cast<NodeId>(id)] =
          expressions_.variables.at(graph_.loops[node.loop].slots[node.slot].carried);
    }
  }
  // Accumulators, which the combiner reads before the reduction's result stands in the list.
  for (size_t id = 0; id < graph_.nodes.size(); ++id) {
    const NodeId node_id = static_cast<NodeId>(id);
    const DemandNode& node = graph_.nodes[id];
    if (!reachable_[id] || node.kind != NodeKind::kReduce || graph_.reduces[node.reduce].scope < 0) continue;
    const DemandReduce& reduce = graph_.reduces[node.reduce];
    Variable* accumulator = make_variable(node_id, value_name(*node.instruction));
    items_.named.insert(node_id);
    if (!reduce.accumulators.empty()) expressions_.variables[reduce.accumulators[node.result]] = accumulator;
  }
  // Of results that nothing reads too: the combiner may need them for the others.
  for (const DemandReduce& reduce : graph_.reduces) {
    for (const NodeId accumulator : reduce.accumulators) {
      if (expressions_.variables.count(accumulator) == 0) make_variable(accumulator, value_name(*reduce.instruction));
    }
  }
  for (size_t id = 0; id < graph_.nodes.size(); ++id) {
    const NodeId node_id = static_cast<NodeId>(id);
    const DemandNode& node = graph_.nodes[id];
    if (!reachable_[id]) continue;
    switch (node.kind) {
      case NodeKind::kConstant:
      case NodeKind::kIndex:
      case NodeKind::kCarry:
      case NodeKind::kLoopResult:
      case NodeKind::kKept:
      case NodeKind::kParameter:
      case NodeKind::kAccumulator: continue;
      case NodeKind::kCallResult:
        if (expressions_.named(node.operands[0])) continue;
        break;
      case NodeKind::kReduce:
        if (graph_.reduces[node.reduce].scope >= 0) continue;
        break;
      default: break;
    }
    if (uses_[id] == 0 && !must_name_[id]) continue;  // an absorbed product
    if ((uses_[id] > 1 || used_deeper_[id] || must_name_[id]) && !expressions_.named(node_id)) name_node(node_id);
    if (node.kind == NodeKind::kChoose && items_.named.count(node_id) > 0 && must_name_[id]) continue;
    // Give names to the widest operands until the spelling fits a line.
    for (;;) {
      if (width(*expressions_.spell(node_id)) <= kSpelledWidth - 2 * graph_.scopes[node.scope].depth) break;
      NodeId widest = kNoNode;
      int64_t most = 24;
      for (const NodeId operand : reads(node_id)) {
        const NodeKind kind = graph_.nodes[operand].kind;
        if (expressions_.named(operand) || kind == NodeKind::kConstant || kind == NodeKind::kIndex) continue;
        // An operand behind a guard of its own must stay inside the conditional.
        if (statement_scope(graph_.nodes[operand].scope) != graph_.nodes[operand].scope) continue;
        const int64_t size = width(*expressions_.spell(operand));
        if (size > most) {
          most = size;
          widest = operand;
        }
      }
      if (widest == kNoNode) break;
      name_node(widest);
    }
  }
}

// Names index arithmetic that several accesses share. Offsets that differ by a constant, or by a common factor, share
// their base: x[row * 4], x[row * 4 + 1].
void Arranger::name_indices() {
  std::map<IndexExpr, int> count;
  const auto offer = [&](const IndexExpr& expr) {
    if (expressions_.is_vector_offset && expressions_.is_vector_offset(expr)) return;
    const IndexExpr base = index_base(expr).base;
    if (expressions_.flat && base == expressions_.flat->sum) return;  // has a name: the flat index itself
    if (base.terms().size() > 1 || (base.terms().size() == 1 && base.terms()[0].atom->kind != IndexExpr::AtomKind::kCoordinate &&
                                    base.terms()[0].atom->kind != IndexExpr::AtomKind::kValue)) {
      ++count[base];
    }
  };
  for (size_t id = 0; id < graph_.nodes.size(); ++id) {
    if (reachable_[id] && graph_.nodes[id].kind == NodeKind::kLoad) offer(graph_.nodes[id].expr);
    if (reachable_[id] && graph_.nodes[id].kind == NodeKind::kIndex) offer(graph_.nodes[id].expr);
  }
  for (const DemandStore& store : graph_.stores) offer(store.offset);
  for (const DemandLoop& loop : graph_.loops) {
    for (const DemandLoop::Stack& stack : loop.stacks) {
      for (const auto& [offset, value] : stack.stores) offer(offset);
    }
  }
  for (const auto& [base, times] : count) {
    if (times < 2) continue;
    Item item;
    item.kind = Item::Kind::kIndex;
    item.index = base;
    const auto deeper = [&](int scope) {
      if (graph_.scopes[scope].depth > graph_.scopes[item.scope].depth) item.scope = scope;
    };
    base.visit_leaves([&](const IndexExpr::Atom& atom) {
      deeper(atom.kind == IndexExpr::AtomKind::kCoordinate ? graph_.coordinates[atom.id].scope
                                                           : statement_scope(graph_.nodes[atom.id].scope));
    });
    item_of_index_[base] = static_cast<int>(items_.all.size());
    items_.all.push_back(std::move(item));
  }
  for (const auto& [base, number] : item_of_index_) {
    expressions_.indices[base] = expressions_.kernel->variable("index", CType::value(expressions_.index_type));
  }
}

void Arranger::make_items() {
  const auto place = [&](const Instruction* instruction) { return source_place(module_, *instruction); };
  const auto add = [&](Item item) {
    items_.all.push_back(std::move(item));
    return static_cast<int>(items_.all.size()) - 1;
  };
  std::map<NodeId, NodeId> cosine_of;  // operand -> named cosine, f32, same scope as its sine
  for (const NodeId node : items_.named) {
    const DemandNode& demanded = graph_.nodes[node];
    if (demanded.kind == NodeKind::kCompute && demanded.instruction->opcode == Opcode::kCosine && demanded.dtype == DType::kF32) {
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
      for (const NodeId other : items_.named) {
        const DemandNode& result = graph_.nodes[other];
        if (result.kind == NodeKind::kReduce && result.reduce == demanded.reduce) item_of_node_[other] = number;
      }
      continue;
    }
    if (demanded.kind == NodeKind::kCompute && demanded.instruction->opcode == Opcode::kSine && demanded.dtype == DType::kF32) {
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
    const bool guard = demanded.kind == NodeKind::kChoose &&
                       ((demanded.arm_scope[0] != 0 && items_.statement_guard[demanded.arm_scope[0]]) ||
                        (demanded.arm_scope[1] != 0 && items_.statement_guard[demanded.arm_scope[1]]));
    item.kind = guard ? Item::Kind::kGuard : Item::Kind::kLet;
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
    if (item.kind == Item::Kind::kLet && item_of_node_.count(item.node) > 0 && item_of_node_[item.node] != static_cast<int>(i)) {
      item.scope = -1;
    }
  }
  for (size_t l = 0; l < graph_.loops.size(); ++l) {
    const DemandLoop& loop = graph_.loops[l];
    Item item;
    item.kind = Item::Kind::kLoop;
    item.number = static_cast<int>(l);
    item.scope = statement_scope(graph_.scopes[loop.scope].parent);
    item.place = place(loop.instruction);
    opener_[loop.scope] = add(std::move(item));
    if (loop.condition != kNoNode) {
      Item test;
      test.kind = Item::Kind::kBreak;
      test.number = static_cast<int>(l);
      test.scope = loop.scope;
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
      assign.scope = loop.scope;
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

void Arranger::holders(const IndexExpr& expr, std::set<NodeId>* result, std::set<int>* index_items) const {
  const auto named = item_of_index_.find(index_base(expr).base);
  if (named != item_of_index_.end()) {
    index_items->insert(named->second);
    return;
  }
  expr.visit_leaves([&](const IndexExpr::Atom& atom) {
    if (atom.kind == IndexExpr::AtomKind::kValue) holders(atom.id, result);
  });
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
        }
      }
    };
    const auto used = [&](NodeId node) {
      if (expressions_.named(node)) {
        read.insert(node);
      } else {
        spelled(node);
      }
    };
    // Read inside the item's own scope: what stands outside it must still come first.
    const auto inner_reads = [&](NodeId node) {
      std::vector<NodeId> stack = {node};
      std::set<NodeId> seen;
      while (!stack.empty()) {
        const NodeId current = stack.back();
        stack.pop_back();
        if (!seen.insert(current).second) continue;
        if (expressions_.named(current)) {
          if (item_of_node_.count(current) == 0 || items_.all[item_of_node_.at(current)].scope == item.scope) read.insert(current);
          continue;
        }
        for (const NodeId operand : reads(current)) stack.push_back(operand);
      }
    };
    switch (item.kind) {
      case Item::Kind::kLet:
      case Item::Kind::kSinCos:
      case Item::Kind::kKeep:
      case Item::Kind::kGuard: spelled(item.node); break;
      case Item::Kind::kLanes: break;
      case Item::Kind::kPhase:
        for (const int number : graph_.phases[item.number].reduces) {
          const DemandReduce& reduce = graph_.reduces[number];
          used(reduce.init[0]);
          inner_reads(reduce.values[0]);
        }
        break;
      case Item::Kind::kIndex:
        item.index.visit_leaves([&](const IndexExpr::Atom& atom) {
          if (atom.kind == IndexExpr::AtomKind::kValue) used(atom.id);
        });
        break;
      case Item::Kind::kReduce: {
        const DemandReduce& reduce = graph_.reduces[item.number];
        for (const auto* list : {&reduce.init, &reduce.values, &reduce.combined}) {
          for (const NodeId node : *list) used(node);
        }
        break;
      }
      case Item::Kind::kLoop:
        for (const DemandLoop::Slot& slot : graph_.loops[item.number].slots) used(slot.init);
        break;
      case Item::Kind::kBreak: used(graph_.loops[item.number].condition); break;
      case Item::Kind::kAssign: used(graph_.loops[item.number].slots[item.slot].next); break;
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
      if (demanded.kind == NodeKind::kCarry || demanded.kind == NodeKind::kLoopResult) {
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
        if (assign.kind != Item::Kind::kAssign || assign.number != demanded.loop || assign.slot != demanded.slot) continue;
        const int reader = lift(static_cast<int>(i), assign.scope);
        if (reader >= 0 && reader != static_cast<int>(other)) assign.after.insert(reader);
      }
    }
  }
  // Stores and assignments end their scope; a loop's test comes before what it does not need.
  for (size_t i = 0; i < items_.all.size(); ++i) {
    Item& item = items_.all[i];
    const bool last = item.kind == Item::Kind::kAssign || item.kind == Item::Kind::kStore || item.kind == Item::Kind::kStack;
    for (size_t j = 0; j < items_.all.size(); ++j) {
      Item& other = items_.all[j];
      if (other.scope != item.scope || i == j) continue;
      const bool other_last = other.kind == Item::Kind::kAssign || other.kind == Item::Kind::kStore || other.kind == Item::Kind::kStack;
      if (last && !other_last) item.after.insert(static_cast<int>(j));
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
        if (item.place.function.empty() && item.kind != Item::Kind::kIndex && item.scope == reader.scope) item.place = reader.place;
      }
    }
  }
  for (size_t scope = 0; scope < graph_.scopes.size(); ++scope) {
    std::vector<int> members;
    for (size_t i = 0; i < items_.all.size(); ++i) {
      if (items_.all[i].scope == static_cast<int>(scope)) members.push_back(static_cast<int>(i));
    }
    std::set<int> left(members.begin(), members.end());
    std::map<int, int> waiting;              // item -> sources not placed yet
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
    const auto key = [&](int number) {
      const Item& item = items_.all[number];
      const int rank = item.kind == Item::Kind::kIndex ? 0 : item.kind == Item::Kind::kBreak ? 1 : 2;
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
          if (left.count(item) > 0 && items_.all[item].kind == Item::Kind::kAssign && !items_.all[item].through_temporary) {
            chosen = item;
            break;
          }
        }
        check(chosen >= 0, "lower", "statements depend on each other in a circle");
        items_.all[chosen].through_temporary = true;
        // The others need not wait for it to have read their old values: the temporary is taken before them all.
        for (const int item : members) {
          if (items_.all[item].kind == Item::Kind::kAssign && items_.all[item].after.erase(chosen) > 0 && left.count(item) > 0) {
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
      if (!items_.all[chosen].place.function.empty()) function = items_.all[chosen].place.function;
      for (const int reader : readers[chosen]) {
        if (--waiting[reader] == 0) ready.insert(key(reader));
      }
    }
  }
}

}  // namespace

Items arrange(const Module& module, const DemandGraph& graph, Expressions& expressions) {
  return Arranger(module, graph, expressions).run();
}

}  // namespace sinter
