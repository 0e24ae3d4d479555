// Which nodes of a kernel's demand graph get a variable, and which index arithmetic.
#include <algorithm>
#include <functional>

#include "passes/analysis/functions/emittable.h"
#include "passes/analysis/values/hardware.h"
#include "passes/demand/lane_steps.h"
#include "passes/lower/arrange/arranger.h"
#include "passes/names/value_names.h"

namespace sinter {

using NodeKind = DemandNode::Kind;

namespace {

// Columns a spelled value may take before an operand gets a name of its own: a line has 100, of which indentation,
// type, name and punctuation take about thirty.
constexpr int64_t kSpelledWidth = 72;
// Functions of 16-bit floats (half_arithmetic.h) that stand in one another: sums and products that are calls.
constexpr int64_t kHalfDepth = 2;

int64_t half_depth(const Expr& expr) {
  int64_t depth = 0;
  for (const Expr* operand : expr.operands) depth = std::max(depth, half_depth(*operand));
  return depth + (expr.kind == Expr::Kind::kCall && expr.text.starts_with("__h") ? 1 : 0);
}

}  // namespace

Variable* Arranger::make_variable(NodeId node, const std::string& hint) {
  const DemandNode& demanded = graph_.nodes[node];
  CType type = CType::value(demanded.dtype);
  const bool from_other = demanded.kind == NodeKind::kFromLane || demanded.kind == NodeKind::kOfBlock;
  const NodeKind kind = from_other ? graph_.nodes[demanded.operands[0]].kind : demanded.kind;
  if (kind == NodeKind::kCall) type = expressions_.functions(*demanded.instruction).result;
  if (demanded.kind == NodeKind::kPosition) type = CType::value(expressions_.index_type);
  Variable* variable = expressions_.kernel->variable(hint, type, demanded.instruction);
  expressions_.variables[node] = variable;
  return variable;
}

// Of a sum for each neighbour, which is stored as it is where nothing else reads it.
CType Arranger::type_of_sums(NodeId sums) const {
  const DemandNode& node = graph_.nodes[sums];
  const int lanes = lanes_of_steps(graph_, graph_.reduces[node.reduce]);
  CType type = {.kind = CType::Kind::kArray, .dtype = accumulator_type(node.dtype)};
  type.length = graph_.coordinates[lane_of_steps(graph_, lanes)].extent;
  type.extent = std::string("kWidth");
  const bool is_stored = std::ranges::any_of(graph_.stores, [&](const DemandStore& store) {
    return sums_of_element(graph_, store.node) == sums && uses_[store.node] == 1 && !must_name_[store.node];
  });
  const bool is_access = type.dtype == node.dtype && type.length * dtype_bytes(type.dtype) <= kAccessBytes;
  if (is_stored && is_access) type.kind = CType::Kind::kVector;
  return type;
}

void Arranger::name_node(NodeId node) {
  if (!items_.named.insert(node).second) return;
  const DemandNode& demanded = graph_.nodes[node];
  if (demanded.kind == NodeKind::kExchanged) {
    // It goes by the thread's own.
    const NodeId own = demanded.operands[0];
    if (!expressions_.named(own)) name_node(own);
    expressions_.variables[node] = expressions_.variables.at(own);
    return;
  }
  std::string hint = value_name(*demanded.instruction);
  if (demanded.kind == NodeKind::kLoad) {
    // An element goes by its array.
    hint = expressions_.buffers.at(demanded.instruction)->name;
    if (hint.ends_with("_in")) hint.resize(hint.size() - 3);
    hint += "_value";
  }
  if (demanded.kind == NodeKind::kShared) hint += "_value";
  if (of_lanes_.count(node) > 0) hint += "_of_lane";
  if (demanded.kind == NodeKind::kClampIndex) hint = "start";
  if (!demanded.name.empty()) hint = demanded.name;
  make_variable(node, hint);
}

// Loads that are one access: each is an element of its vector, which needs no other name.
void Arranger::name_vectors() {
  if (!expressions_.joins_loads) return;
  Kernel& kernel = *expressions_.kernel;
  for (LoadRun& run : loads_at_once(graph_)) {
    if (statement_scope(run.scope) != run.scope) continue;
    const auto is_other = [&](NodeId node) { return expressions_.named(node) || must_name_[node]; };
    if (std::ranges::any_of(run.loads, is_other)) continue;
    const auto pointer = expressions_.buffers.find(graph_.nodes[run.loads[0]].instruction);
    if (pointer == expressions_.buffers.end() || expressions_.own_arrays.count(pointer->second) > 0) continue;
    const CType type = CType::value(pointer->second->type.dtype);
    CType vector_type = type;
    vector_type.kind = CType::Kind::kVector;
    vector_type.length = std::ssize(run.loads);
    vector_type.extent = std::to_string(run.loads.size());
    Variable* vector = kernel.variable(pointer->second->name + "_values", vector_type);
    for (size_t i = 0; i < run.loads.size(); ++i) {
      expressions_.members[run.loads[i]] =
          kernel.subscript(kernel.reference(vector), kernel.integer(static_cast<int64_t>(i)), type);
    }
    items_.vectors.push_back({std::move(run), vector});
  }
}

// Two divisions with one check are one statement, which gives two variables.
void Arranger::name_quotients() {
  for (auto& [first, pair] : quotient_pairs(graph_)) {
    const auto is_variable = [&](NodeId node) {
      const int scope = graph_.nodes[node].scope;
      return reachable_[node] && uses_[node] > 0 && !expressions_.named(node) && statement_scope(scope) == scope;
    };
    if (!is_variable(first) || !is_variable(pair.second)) continue;
    name_node(first);
    name_node(pair.second);
    items_.quotients[first] = std::move(pair);
  }
}

void Arranger::name_values() {
  // Carried values: one variable a slot, the loop's result too.
  for (size_t id = 0; id < graph_.nodes.size(); ++id) {
    const DemandNode& node = graph_.nodes[id];
    const bool carried = node.kind == NodeKind::kCarry || node.kind == NodeKind::kOfLane;
    if (carried) make_variable(static_cast<NodeId>(id), value_name(*node.instruction));
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
    Variable* accumulator = make_variable(node_id, reduce.chooses ? "chosen" : value_name(*node.instruction));
    items_.named.insert(node_id);
    if (reduce.fills) {
      accumulator->type.kind = CType::Kind::kArray;
      accumulator->type.length = graph_.steps_in(reduce.scope);
    }
    if (lanes_of_steps(graph_, reduce) > 0) {
      accumulator->type = type_of_sums(node_id);
    }
    if (!reduce.accumulators.empty() && !reduce.chooses)
      expressions_.variables[reduce.accumulators[node.result]] = accumulator;
  }
  // Of results that nothing reads too: the combiner may need them for the others.
  for (const DemandReduce& reduce : graph_.reduces) {
    for (const NodeId accumulator : reduce.accumulators) {
      if (expressions_.variables.count(accumulator) > 0) continue;
      make_variable(accumulator, reduce.chooses ? "best" : value_name(*reduce.instruction));
    }
  }
  // What other threads have computed stands behind what reads it in the list.
  for (size_t id = 0; id < graph_.nodes.size(); ++id) {
    const NodeKind kind = graph_.nodes[id].kind;
    const bool from_other = kind == NodeKind::kFromLane || kind == NodeKind::kOfBlock;
    if (reachable_[id] && from_other) name_node(static_cast<NodeId>(id));
  }
  for (size_t id = 0; id < graph_.nodes.size(); ++id) {
    const NodeId node_id = static_cast<NodeId>(id);
    const DemandNode& node = graph_.nodes[id];
    if (!reachable_[id]) continue;
    switch (node.kind) {
      case NodeKind::kConstant:
      case NodeKind::kIndex:
      case NodeKind::kCarry:
      case NodeKind::kOfLane:
      case NodeKind::kLoopResult:
      case NodeKind::kKept:
      case NodeKind::kParameter:
      case NodeKind::kAccumulator:
        continue;
      case NodeKind::kCallResult:
        if (expressions_.named(node.operands[0])) continue;
        break;
      case NodeKind::kReduce:
        if (graph_.reduces[node.reduce].scope >= 0) continue;
        break;
      default:
        break;
    }
    if (uses_[id] == 0 && !must_name_[id]) continue;  // an absorbed product
    const Expressions::OwnArray* own = expressions_.own_array(node);
    if (own != nullptr && (!must_name_[id] || own->kept.empty())) continue;
    if ((uses_[id] > 1 || used_deeper_[id] || must_name_[id]) && !expressions_.named(node_id)) name_node(node_id);
    if (node.kind == NodeKind::kChoose && items_.named.count(node_id) > 0 && must_name_[id]) continue;
    // Give names to the widest operands until the spelling fits a line, and to the deepest until it can be read.
    for (;;) {
      std::vector<NodeId> operands = reads(node_id);
      std::erase_if(operands, [&](NodeId operand) {
        const NodeKind kind = graph_.nodes[operand].kind;
        if (expressions_.named(operand) || kind == NodeKind::kConstant || kind == NodeKind::kIndex) return true;
        // It is an element of a vector, whose index stands elsewhere.
        if (kind == NodeKind::kLoad && is_lanes_of_steps(graph_, graph_.nodes[operand].scope)) return true;
        // An operand behind a guard of its own must stay inside the conditional.
        return statement_scope(graph_.nodes[operand].scope) != graph_.nodes[operand].scope;
      });
      if (operands.empty()) break;
      const Expr& spelled = *expressions_.spell(node_id);
      const bool fits = width(spelled) <= kSpelledWidth - 2 * graph_.scopes[node.scope].depth;
      if (fits && half_depth(spelled) <= kHalfDepth) break;
      NodeId named = kNoNode;
      int64_t most = fits ? kHalfDepth - 1 : 24;
      for (const NodeId operand : operands) {
        const Expr& of_operand = *expressions_.spell(operand);
        const int64_t size = fits ? half_depth(of_operand) : width(of_operand);
        if (size > most) {
          most = size;
          named = operand;
        }
      }
      if (named == kNoNode) break;
      name_node(named);
    }
  }
}

// Names index arithmetic that several accesses share. Offsets that differ by a constant, or by a common factor, share
// their base: x[row * 4], x[row * 4 + 1]; and so do the sums that they divide: x[(row * 96 + column) / 64].
void Arranger::name_indices() {
  std::map<IndexExpr, int> count;
  const std::function<void(const IndexExpr&)> offer_divided = [&](const IndexExpr& expr) {
    for (const IndexExpr::Term& term : expr.terms()) {
      const IndexExpr::AtomKind kind = term.atom->kind;
      if (kind != IndexExpr::AtomKind::kFloorDiv && kind != IndexExpr::AtomKind::kMod) continue;
      const IndexExpr base = index_base(term.atom->operand).base;
      if (base.terms().size() > 1 && expressions_.is_formula(base)) ++count[base];
      offer_divided(base);
    }
  };
  const auto offer = [&](const IndexExpr& expr) {
    if (expressions_.is_vector_offset && expressions_.is_vector_offset(expr)) return;
    const IndexExpr base = index_base(expr).base;
    if (expressions_.is_formula(base)) ++count[base];
    offer_divided(base);
  };
  for (size_t id = 0; id < graph_.nodes.size(); ++id) {
    const bool is_load =
        graph_.nodes[id].kind == NodeKind::kLoad && expressions_.own_array(graph_.nodes[id]) == nullptr;
    if (reachable_[id] && is_load) offer(graph_.nodes[id].expr);
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

}  // namespace sinter
