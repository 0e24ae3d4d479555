#include "passes/demand/views/dump_demand.h"

#include "ir/module/opcode.h"
#include "passes/demand/views/needed_nodes.h"

namespace sinter {
namespace {

using Kind = DemandNode::Kind;

std::string name_of(CoordinateRole role) {
  switch (role) {
    case CoordinateRole::kElement:
      return "element";
    case CoordinateRole::kBatch:
      return "batch";
    case CoordinateRole::kRow:
      return "row";
    case CoordinateRole::kColumn:
      return "column";
    case CoordinateRole::kStep:
      return "step";
    case CoordinateRole::kHostStep:
      return "step of the host";
    case CoordinateRole::kAhead:
      return "step ahead";
    case CoordinateRole::kTerm:
      return "term";
  }
  return "";
}

std::string name_of(DemandScope::Kind kind) {
  switch (kind) {
    case DemandScope::Kind::kKernel:
      return "kernel";
    case DemandScope::Kind::kLoop:
      return "loop";
    case DemandScope::Kind::kReduce:
      return "terms";
    case DemandScope::Kind::kColumns:
      return "columns";
    case DemandScope::Kind::kGuard:
      return "guard";
    case DemandScope::Kind::kLanes:
      return "lanes";
    case DemandScope::Kind::kAhead:
      return "ahead";
    case DemandScope::Kind::kFirstThread:
      return "first thread";
  }
  return "";
}

std::string number(char letter, int64_t id) { return letter + std::to_string(id); }
std::string node_name(NodeId id) { return id == kNoNode ? "-" : number('n', id); }

std::string list(const std::vector<NodeId>& nodes) {
  std::string text;
  for (const NodeId node : nodes) text += (text.empty() ? "" : ", ") + node_name(node);
  return text;
}

std::string index_text(const std::vector<IndexExpr>& index) {
  std::string text;
  for (const IndexExpr& expr : index) text += (text.empty() ? "" : ", ") + expr.to_string();
  return "[" + text + "]";
}

std::string range(const IndexExpr& expr, int64_t low, int64_t high) {
  return std::to_string(low) + " <= " + expr.to_string() + " < " + std::to_string(high);
}

class Dump {
 public:
  explicit Dump(const DemandGraph& graph) : graph_(graph) {}

  std::string run() {
    coordinates();
    scopes();
    nodes();
    reductions();
    loops();
    stores();
    return std::move(text_);
  }

 private:
  void line(const std::string& text) { text_ += "  " + text + "\n"; }

  void coordinates() {
    text_ += "coordinates\n";
    for (size_t id = 0; id < graph_.coordinates.size(); ++id) {
      const DemandCoordinate& coordinate = graph_.coordinates[id];
      line(number('c', static_cast<int64_t>(id)) + ": " + std::to_string(coordinate.extent) + ", " +
           name_of(coordinate.role) + in_scope(coordinate.scope));
    }
  }

  void scopes() {
    if (graph_.scopes.size() == 1) return;
    text_ += "scopes\n";
    for (size_t id = 1; id < graph_.scopes.size(); ++id) {
      const DemandScope& scope = graph_.scopes[id];
      const std::string of = scope.instruction == nullptr ? "" : " of " + scope.instruction->name;
      line(number('s', static_cast<int64_t>(id)) + ": " + name_of(scope.kind) + of + in_scope(scope.parent));
    }
  }

  static std::string in_scope(int scope) { return scope == 0 ? "" : ", in " + number('s', scope); }

  void nodes() {
    text_ += "nodes\n";
    const std::vector<bool> needed = needed_nodes(graph_);
    for (size_t id = 0; id < graph_.nodes.size(); ++id) {
      if (!needed[id]) continue;
      const DemandNode& node = graph_.nodes[id];
      line(node_name(static_cast<NodeId>(id)) + " = " + spelled(node) + ": " + std::string(dtype_name(node.dtype)) +
           in_scope(node.scope));
    }
  }

  // Without its type.
  std::string spelled(const DemandNode& node) const {
    const std::string operands = "(" + list(node.operands) + ")";
    switch (node.kind) {
      case Kind::kConstant:
        return "constant " + to_string(node.literal);
      case Kind::kIndex:
        return "index " + node.expr.to_string();
      case Kind::kLoad:
        return node.instruction->name + "[" + node.expr.to_string() + "]";
      case Kind::kCompute:
        return std::string(opcode_name(node.instruction->opcode)) + operands;
      case Kind::kChoose: {
        const auto arm = [&](int number_of_arm) {
          const int scope = node.arm_scope[number_of_arm];
          return node_name(node.operands[number_of_arm]) + (scope == 0 ? "" : " in " + number('s', scope));
        };
        return "if " + range(node.expr, node.low, node.high) + " then " + arm(0) + " else " + arm(1);
      }
      case Kind::kClampIndex:
        return "clamp" + operands + " to [" + std::to_string(node.low) + ", " + std::to_string(node.high) + "]";
      case Kind::kPosition:
        return "position " + node.expr.to_string();
      case Kind::kCarry:
        return "carry " + slot(node);
      case Kind::kShared:
        return "carry " + slot(node) + " of thread " + node.expr.to_string();
      case Kind::kOfLane:
        return "carry " + slot(node) + " where the lane's step begins";
      case Kind::kFromLane:
        return "from lane" + operands;
      case Kind::kExchanged:
        return "exchange" + operands;
      case Kind::kOfThread:
        return "of thread " + node.expr.to_string() + operands;
      case Kind::kOfBlock:
        return "of block" + operands;
      case Kind::kLoopResult:
        return "result " + slot(node);
      case Kind::kReduce:
        return number('r', node.reduce) + (node.result == 0 ? "" : "." + std::to_string(node.result));
      case Kind::kElement:
        return "element" + operands + "[" + node.expr.to_string() + "]";
      case Kind::kBlockReduce:
        return "block " + std::string(opcode_name(node.instruction->opcode)) + operands;
      case Kind::kAccumulator:
        return "so far of " + number('r', node.reduce);
      case Kind::kKept:
        return "kept " + std::to_string(node.slot);
      case Kind::kCall:
        return "call " + (*node.instruction->attributes->to_apply)->name + operands;
      case Kind::kCallResult:
        return "result " + std::to_string(node.result) + operands;
      case Kind::kParameter:
        return "parameter " + node.instruction->name;
    }
    return "";
  }

  std::string slot(const DemandNode& node) const {
    const DemandLoop& loop = graph_.loops[node.loop];
    const DemandLoop::Slot& slot = loop.slots[node.slot];
    return std::to_string(slot.carry) + index_text(slot.index) + " of " + loop.instruction->name;
  }

  void reductions() {
    if (graph_.reduces.empty()) return;
    text_ += "reductions\n";
    for (size_t i = 0; i < graph_.reduces.size(); ++i) {
      const DemandReduce& reduce = graph_.reduces[i];
      std::string text = number('r', static_cast<int64_t>(i)) + ": " + reduce.instruction->name;
      if (reduce.fills) text += " fills an array";
      if (!reduce.init.empty()) text += " from " + list(reduce.init);
      for (const std::vector<NodeId>& term : reduce.terms) text += ", then " + list(term);
      if (!reduce.values.empty()) text += ", of " + list(reduce.values);
      if (!reduce.combined.empty()) text += ", to " + list(reduce.combined);
      for (const DemandTest& test : reduce.tests) text += ", where " + range(test.expr, test.low, test.high);
      for (const DemandReduce::Tap& tap : reduce.taps)
        text += ", where " + node_name(tap.position) + " < " + std::to_string(tap.extent);
      if (reduce.cooperative) text += ", by the threads of the row";
      line(text + (reduce.scope < 0 ? ", written out" : in_scope(reduce.scope)));
    }
  }

  void loops() {
    for (const DemandLoop& loop : graph_.loops) {
      text_ += "loop " + loop.instruction->name + in_scope(loop.scope) +
               (loop.counter < 0 ? "" : ", step " + number('c', loop.counter)) +
               (loop.condition == kNoNode ? "" : ", while " + node_name(loop.condition)) + "\n";
      for (const DemandLoop::Slot& slot : loop.slots) {
        line("carry " + std::to_string(slot.carry) + index_text(slot.index) + ": " + node_name(slot.init) + ", then " +
             node_name(slot.next) + (slot.shared ? ", shared by the block" : ""));
      }
      for (const DemandLoop::Stack& stack : loop.stacks) {
        for (const auto& [offset, value] : stack.stores)
          line("stack " + std::to_string(stack.carry) + "[" + offset.to_string() + "] = " + node_name(value));
      }
    }
  }

  void stores() {
    text_ += "stores\n";
    for (const DemandStore& store : graph_.stores) {
      std::string owners;
      for (const int owner : store.owners) owners += (owners.empty() ? "" : ", ") + number('c', owner);
      line(store.value->name + "[" + store.offset.to_string() + "] = " + node_name(store.node) +
           (owners.empty() ? "" : ", where " + owners + " is 0"));
    }
  }

  const DemandGraph& graph_;
  std::string text_;
};

}  // namespace

std::string dump(const DemandGraph& graph) { return Dump(graph).run(); }

}  // namespace sinter
